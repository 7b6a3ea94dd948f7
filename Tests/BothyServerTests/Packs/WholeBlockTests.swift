import BothyContent
import NIOCore
import Testing

@testable import BothyServer

@Suite struct WholeBlockTests {
    /// Around the ends of what is looked at together, and of a page.
    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 1_000_003])
    func itHasTheHashAndTheChecksumsOfItsBytes(_ length: Int) {
        let bytes = Block(length, seed: UInt64(length)).bytes
        let block = WholeBlock(ByteBuffer(bytes: bytes))
        #expect(block.hash == SHA256Hasher.hash(bytes))
        let pages = stride(from: 0, to: length, by: PackFormat.pageBytes).map { start in
            CRC32C.checksum(Array(bytes[start..<min(start + PackFormat.pageBytes, length)]))
        }
        #expect(block.checksums == pages)
        #expect(block.isEmpty == (length == 0))
    }
}
