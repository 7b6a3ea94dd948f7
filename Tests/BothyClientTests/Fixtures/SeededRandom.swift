/// SplitMix64 (Steele, Lea, Flood 2014): a failing case is told by its seed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }
}

extension SeededRandom {
    /// 0 up to `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
