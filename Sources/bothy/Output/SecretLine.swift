/// A line typed without being shown, key by key. Pure.
struct SecretLine {
    enum Outcome: Equatable {
        case more
        case entered(String)
        case givenUp
    }

    /// Bytes that are taken; more is no password.
    private static let longest = 4096

    private var bytes: [UInt8] = []

    mutating func press(_ key: UInt8) -> Outcome {
        switch key {
        case 0x0A, 0x0D: return .entered(String(decoding: bytes, as: UTF8.self))
        case 0x03: return .givenUp  // Ctrl-C
        case 0x04: return bytes.isEmpty ? .givenUp : .more  // Ctrl-D
        case 0x15: bytes.removeAll()  // Ctrl-U
        case 0x08, 0x7F: eraseLast()
        default:
            guard bytes.count < Self.longest else { return .givenUp }
            bytes.append(key)
        }
        return .more
    }

    /// The last character with all the bytes that it takes in UTF-8.
    private mutating func eraseLast() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
