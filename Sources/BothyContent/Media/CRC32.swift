import CZlib

/// The checksum of PNG's chunks (ISO 15948, annex D).
enum CRC32 {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count))) }
    }
}
