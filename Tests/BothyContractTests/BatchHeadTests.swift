import BothyContract
import Testing

@Suite struct BatchHeadTests {
    @Test(arguments: [(0, 0), (1, 0), (0, 1), (255, 256), (16_384, 131_072), (0xFFFF_FFFF, 0xFFFF_FFFF)])
    func aHeadIsReadAsItWasWritten(metadata: Int, content: Int) {
        let head = BatchHead(metadataBytes: metadata, contentBytes: content)
        #expect(head.bytes.count == BatchHead.byteCount)
        #expect(BatchHead(bytes: head.bytes) == head)
        #expect(BatchHead(bytes: head.bytes.dropLast()) == nil)
    }

    @Test func theHighestByteComesFirst() {
        #expect(BatchHead(metadataBytes: 0x0102_0304, contentBytes: 5).bytes == [1, 2, 3, 4, 0, 0, 0, 5])
    }
}
