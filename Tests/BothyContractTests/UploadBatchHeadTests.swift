import BothyContract
import Testing

@Suite struct UploadBatchHeadTests {
    @Test(arguments: [(0, 0), (1, 0), (0, 1), (255, 256), (16_384, 131_072), (0xFFFF_FFFF, 0xFFFF_FFFF)])
    func aHeadIsReadAsItWasWritten(metadata: Int, content: Int) {
        let head = UploadBatchHead(metadataBytes: metadata, contentBytes: content)
        #expect(head.bytes.count == UploadBatchHead.byteCount)
        #expect(UploadBatchHead(bytes: head.bytes) == head)
        #expect(UploadBatchHead(bytes: head.bytes.dropLast()) == nil)
    }

    @Test func theHighestByteComesFirst() {
        #expect(UploadBatchHead(metadataBytes: 0x0102_0304, contentBytes: 5).bytes == [1, 2, 3, 4, 0, 0, 0, 5])
    }
}
