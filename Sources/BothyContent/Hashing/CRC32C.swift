import CHashing

/// CRC-32C (Castagnoli): notices rotten bits and torn writes; it is no proof against a person.
public struct CRC32C: Sendable {
    public private(set) var value: UInt32 = 0

    public init() {}

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        value = bothy_crc32c(value, bytes.baseAddress, bytes.count)
    }

    public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        bothy_crc32c(0, bytes.baseAddress, bytes.count)
    }

    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }

    /// Without the processor's help; for tests to hold the other against.
    static func softwareChecksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { bothy_crc32c_software(0, $0.baseAddress, $0.count) }
    }
}
