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
    static func frame(of bytes: ByteBuffer) async throws -> ByteBuffer? {
        try await made(of: bytes, from: leastOfAFrame) { Zstd.compress($0) }
    }

    /// A patch that makes them out of nothing.
    ///
    /// - Returns: as ``frame(of:)``.
    static func patch(making bytes: ByteBuffer) async throws -> ByteBuffer? {
        try await made(of: bytes, from: leastOfAPatch) {
            PatchMaker(FragmentSketch(fragmentSize: $0.count + 1)).patch(making: $0)?.body
        }
    }

    /// On a thread of its own: who sends has others to attend to.
    private static func made(
        of bytes: ByteBuffer, from least: Int, _ make: @escaping @Sendable (UnsafeRawBufferPointer) -> [UInt8]?
    ) async throws -> ByteBuffer? {
        guard bytes.readableBytes >= least else { return nil }
        return try await NIOThreadPool.singleton.runIfActive {
            bytes.withUnsafeReadableBytes { plain in
                guard ShrinkGuess.isHopeful(plain), let made = make(plain),
                    ShrinkGuess.isWorthIt(made.count, of: plain.count)
                else { return nil }
                return ByteBuffer(bytes: made)
            }
        }
    }
}
