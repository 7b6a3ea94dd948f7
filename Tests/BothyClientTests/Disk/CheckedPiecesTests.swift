import BothyContent
import NIOCore
import Testing

@testable import BothyClient

/// What goes out of a whole while it is hashed.
@Suite struct CheckedPiecesTests {
    @Test func theLastPieceStaysBehindAndTheHashIsOfAll() {
        var pieces = CheckedPieces()
        #expect(pieces.last == nil && pieces.byteCount == 0)
        #expect(pieces.take(ByteBuffer(bytes: [1, 2])) == nil)
        #expect(pieces.take(ByteBuffer(bytes: [3])) == ByteBuffer(bytes: [1, 2]))
        #expect(pieces.last == ByteBuffer(bytes: [3]) && pieces.byteCount == 3)
        #expect(pieces.checksum == SHA256Hasher.hash([1, 2, 3]))
    }
}
