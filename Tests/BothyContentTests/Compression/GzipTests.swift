import BothyContent
import Testing

@Suite struct GzipTests {
    @Test func textGetsSmallerAndCarriesTheMagicOfRFC1952() throws {
        let text = Array(String(repeating: "{\"name\": \"report.pdf\"},", count: 500).utf8)
        let compressed = try #require(text.withUnsafeBytes { Gzip.compress($0) })
        #expect(compressed.count < text.count / 20)
        #expect(compressed.starts(with: [0x1f, 0x8b, 8]))
        // The last four bytes are the plain length, little-endian (RFC 1952 §2.3.1).
        let length = compressed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length == text.count)
    }

    @Test func nothingAtAllIsAStreamToo() throws {
        let compressed = try #require(Gzip.compress(UnsafeRawBufferPointer(start: nil, count: 0)))
        #expect(compressed.starts(with: [0x1f, 0x8b]))
    }
}
