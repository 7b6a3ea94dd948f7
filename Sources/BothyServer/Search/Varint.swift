/// Numbers in as few bytes as they need: seven bits in each, the lowest first, and a bit that says that more follow (LEB128).
enum Varint {
    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// - Parameter place: where it begins; afterwards, where it ends.
    /// - Returns: nil where the bytes end in the middle of it, or it is none.
    static func read(from bytes: [UInt8], at place: inout Int) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return number }
        }
        return nil
    }
}
