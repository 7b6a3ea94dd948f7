import Testing

@testable import BothyContent

@Suite struct CRC32CTests {
    /// RFC 3720, appendix B.4, and the usual check value.
    @Test func theStandardsExamples() {
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xe306_9283)
        #expect(CRC32C.checksum(Array(repeating: 0, count: 32)) == 0x8a91_36aa)
        #expect(CRC32C.checksum(Array(repeating: 0xff, count: 32)) == 0x62a8_ab43)
        #expect(CRC32C.checksum([]) == 0)
    }

    @Test func theProcessorAndTheSoftwareAgreeAtEveryLength() {
        let bytes = (0..<30_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        for length in Array(0..<70) + [4095, 4096, 12_287, 12_288, 12_289, 24_576, 24_600, 29_990] {
            for start in 0..<9 {
                let piece = Array(bytes[start..<(start + length)])
                #expect(CRC32C.checksum(piece) == CRC32C.softwareChecksum(piece), "\(length) bytes from \(start)")
            }
        }
    }

    @Test func piecesHashAsTheWhole() {
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for cut in [0, 1, 7, 8, 4096, 12_288, 49_999, 50_000] {
            var crc = CRC32C()
            bytes[..<cut].withUnsafeBytes { crc.update($0) }
            bytes[cut...].withUnsafeBytes { crc.update($0) }
            #expect(crc.value == CRC32C.checksum(bytes))
        }
    }

    @Test func everyFlippedBitIsNoticed() {
        var bytes = (0..<200).map { UInt8($0) }
        let whole = CRC32C.checksum(bytes)
        for bit in 0..<(200 * 8) {
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(CRC32C.checksum(bytes) != whole)
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
    }
}
