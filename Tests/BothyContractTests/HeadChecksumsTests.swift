import BothyContract
import Testing

@Suite struct HeadChecksumsTests {
    @Test(arguments: [[], [0], [1, 2, 0xFFFF_FFFF], Array(0..<256)] as [[UInt32]])
    func whatIsWrittenIsReadAsItWas(_ values: [UInt32]) {
        #expect(HeadChecksums(text: HeadChecksums(values).text) == HeadChecksums(values))
    }

    @Test func theHighestByteComesFirst() {
        #expect(HeadChecksums([0x0102_0304]).text == "crc32c=:AQIDBA==:")
    }

    @Test(arguments: [
        "", "crc32c=", "crc32c=:", "crc32c=:AQID:", "crc32c=:!!!!:", "sha-256=:AQIDBA==:", "crc32c=:AQIDBA==",
        "crc32c=:AQIDBA==::",
    ])
    func whatIsNoSuchValueIsNotRead(_ text: String) {
        #expect(HeadChecksums(text: text) == nil)
    }
}
