import NIOCore

/// A body that is in memory.
struct OneBuffer: AsyncSequence, Sendable {
    private let buffer: ByteBuffer

    init(_ buffer: ByteBuffer) { self.buffer = buffer }

    struct AsyncIterator: AsyncIteratorProtocol {
        var buffer: ByteBuffer?

        mutating func next() async -> ByteBuffer? {
            defer { buffer = nil }
            return buffer
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}
