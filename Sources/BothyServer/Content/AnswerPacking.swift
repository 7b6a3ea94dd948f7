import BothyContent
import NIOCore
import NIOPosix
import Synchronization

/// Compresses content for its way to a client where that makes it fewer bytes: piece by piece, on threads of its own, and for a few answers
/// at once.
package final class AnswerPacking: Sendable {
    /// Bytes of content. Less is not worth a frame's head.
    static let least = 4 << 10
    /// Answers at once, each with less than 3 MiB of memory. More than these would share the cores, and go as fast plain.
    static let mostAtOnce = 16

    private let running = Atomic(0)

    package init() {}

    /// - Parameters:
    ///   - beginning: of the content, what was read of it; its samples tell.
    ///   - isSmallAtRest: whether it is known to shrink, because it lies compressed.
    ///   - frameBytes: of content in each frame.
    /// - Returns: nil where the content had better go as it is.
    func begin(
        with beginning: ByteBuffer, isSmallAtRest: Bool, frameBytes: Int
    ) async throws -> PackedAnswer? {
        guard beginning.readableBytes >= Self.least else { return nil }
        if !isSmallAtRest { guard try await Self.isHopeful(beginning) else { return nil } }
        guard running.add(1, ordering: .relaxed).newValue <= Self.mostAtOnce else {
            running.subtract(1, ordering: .relaxed)
            return nil
        }
        return PackedAnswer(frameBytes: frameBytes) { [self] in running.subtract(1, ordering: .relaxed) }
    }

    private static func isHopeful(_ beginning: ByteBuffer) async throws -> Bool {
        try await NIOThreadPool.singleton.runIfActive {
            beginning.withUnsafeReadableBytes { ShrinkGuess.isHopeful($0) }
        }
    }
}

/// One answer's content, compressed as it goes. Where nobody waits for it any more it is let go of, and no further piece is packed.
///
/// Unchecked because its pieces go through one after the other.
package final class PackedAnswer: @unchecked Sendable {
    private let packer: ZstdPacker?
    private let frameBytes: Int
    private let ended: @Sendable () -> Void
    /// Bytes of content in the frame that has begun.
    private var inFrame = 0

    /// Some 200 MB of source code a second on one core become a quarter of it; level 1 takes a quarter less time, and makes a tenth more bytes.
    private static let level: Int32 = 3

    fileprivate init(frameBytes: Int, ended: @escaping @Sendable () -> Void) {
        packer = ZstdPacker(level: Self.level)
        self.frameBytes = frameBytes
        self.ended = ended
    }

    deinit { ended() }

    /// What goes out for a piece: with all before it, all of it can be unpacked.
    ///
    /// - Throws: ``PackError/failed(_:)`` where there is no memory for it; `CancellationError`.
    func pack(_ piece: ByteBuffer) async throws -> ByteBuffer {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            try piece.withUnsafeReadableBytes { try pack($0) }
        }
    }

    /// What goes out last; nothing where the last piece filled its frame.
    func end() async throws -> ByteBuffer {
        guard inFrame > 0 else { return ByteBuffer() }
        inFrame = 0
        return try await NIOThreadPool.singleton.runIfActive { [self] in
            ByteBuffer(bytes: try pack(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true))
        }
    }

    private func pack(_ bytes: UnsafeRawBufferPointer) throws -> ByteBuffer {
        var packed = ByteBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(frameBytes - inFrame)
            rest = rest.dropFirst(part.count)
            inFrame += part.count
            let isWhole = inFrame == frameBytes
            packed.writeBytes(try pack(UnsafeRawBufferPointer(rebasing: part), isLast: isWhole))
            if isWhole { inFrame = 0 }
        }
        return packed
    }

    private func pack(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws -> [UInt8] {
        guard let packed = packer?.pack(bytes, isLast: isLast) else {
            throw PackError.failed("there is no memory to compress an answer")
        }
        return packed
    }
}
