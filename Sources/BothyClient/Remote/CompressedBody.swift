import BothyContent
import NIOCore
import NIOPosix

/// Bytes as they go over the wire where that makes them fewer. What will not shrink is told by samples, and costs no more than these.
enum CompressedBody {
    /// Bytes. Less is not worth a frame's head, and the line that tells of it; the starts of two sessions are a thousand.
    private static let leastOfAFrame = 512
    /// Bytes. Less is not worth a patch.
    private static let leastOfAPatch = 4 << 10

    /// One Zstandard frame.
    ///
    /// - Returns: nil where the bytes had better go as they are.
    static func frame(of body: WireRequest.Body) async throws -> ByteBuffer? {
        switch body {
        case .none: nil
        case .bytes(let bytes): try await made(of: [bytes], from: leastOfAFrame) { Zstd.compress($0) }
        case .pieces(let pieces): try await made(of: pieces, from: leastOfAFrame) { Zstd.compress($0) }
        }
    }

    /// A patch that makes them out of nothing.
    ///
    /// - Returns: as ``frame(of:)``.
    static func patch(making bytes: ByteBuffer) async throws -> ByteBuffer? {
        try await made(of: [bytes], from: leastOfAPatch) {
            PatchMaker(FragmentSketch(fragmentSize: $0.count + 1)).patch(making: $0)?.body
        }
    }

    /// On a thread of its own: who sends has others to attend to. Of several pieces the largest tells whether they will shrink, before they
    /// are put together.
    private static func made(
        of pieces: [ByteBuffer], from least: Int, _ make: @escaping @Sendable (UnsafeRawBufferPointer) -> [UInt8]?
    ) async throws -> ByteBuffer? {
        guard pieces.reduce(0, { $0 + $1.readableBytes }) >= least,
            let largest = pieces.max(by: { $0.readableBytes < $1.readableBytes })
        else { return nil }
        return try await NIOThreadPool.singleton.runIfActive {
            guard largest.withUnsafeReadableBytes({ ShrinkGuess.isHopeful($0) }) else { return nil }
            var whole = pieces[0]
            for piece in pieces.dropFirst() { whole.writeImmutableBuffer(piece) }
            return whole.withUnsafeReadableBytes { plain in
                guard let made = make(plain), ShrinkGuess.isWorthIt(made.count, of: plain.count) else { return nil }
                return ByteBuffer(bytes: made)
            }
        }
    }
}
