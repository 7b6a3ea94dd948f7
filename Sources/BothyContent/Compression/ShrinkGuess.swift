/// Whether bytes are likely to shrink, from samples of them: what was compressed before it came is not tried any further.
public enum ShrinkGuess {
    /// Bytes of one sample. Of up to three of them all is looked at.
    public static let sampleBytes = 16 << 10
    private static let sampleLevel: Int32 = 1
    /// Bytes have to lose at least one part in so many, or they are left as they are.
    private static let leastSaved = 12

    /// The places that tell: the beginning, the middle and the end.
    ///
    /// - Parameter length: bytes.
    public static func samples(of length: Int) -> [Range<Int>] {
        guard length > 3 * sampleBytes else { return [0..<length] }
        return [0, (length - sampleBytes) / 2, length - sampleBytes].map { $0..<($0 + sampleBytes) }
    }

    /// - Parameter samples: the bytes at these places, one after the other.
    public static func isHopeful(samples: UnsafeRawBufferPointer) -> Bool {
        guard let frame = Zstd.compress(samples, level: sampleLevel) else { return false }
        return isWorthIt(frame.count, of: samples.count)
    }

    /// - Parameter bytes: all of them; they are looked at in places.
    public static func isHopeful(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sample = [UInt8]()
        for place in samples(of: bytes.count) { sample += UnsafeRawBufferPointer(rebasing: bytes[place]) }
        return sample.withUnsafeBytes { isHopeful(samples: $0) }
    }

    /// Whether so many bytes are enough fewer.
    public static func isWorthIt(_ count: Int, of plain: Int) -> Bool { count <= plain - plain / leastSaved }
}
