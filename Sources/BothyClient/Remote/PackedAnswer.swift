import BothyContent
import BothyContract
import NIOCore

/// An answer that comes compressed, unpacked as it comes. What is wrong with it is the client's failure.
struct PackedAnswer {
    private let unpacker: ZstdUnpacker

    /// - Parameter most: bytes that the answer may hold.
    /// - Throws: `answerInvalid` where there is no memory for it.
    init(upTo most: Int) throws(ClientFailure) {
        guard let unpacker = ZstdUnpacker(upTo: most) else { throw Self.odd }
        self.unpacker = unpacker
    }

    /// Bytes that came.
    var packedCount: Int { unpacker.packedCount }
    /// Bytes that they held.
    var count: Int { unpacker.count }
    /// Of these, those that are known to be what was packed.
    var checkedCount: Int { unpacker.checkedCount }

    /// - Throws: `answerInvalid`; what `hand` throws.
    func take(_ bytes: ByteBuffer, to hand: (UnsafeRawBufferPointer) throws -> Void) throws {
        do {
            try bytes.withUnsafeReadableBytes { try unpacker.unpack($0, to: hand) }
        } catch is ZstdUnpacker.Garbled {
            throw Self.odd
        }
    }

    /// - Throws: `answerInvalid` for an answer that ended before it was whole.
    func checkEnd() throws(ClientFailure) {
        do {
            try unpacker.checkEnd()
        } catch {
            throw Self.odd
        }
    }

    private static let odd = ClientFailure(
        .answerInvalid, "The server's answer came compressed, and cannot be unpacked.")
}
