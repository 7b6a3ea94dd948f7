import HummingbirdCore
import Logging
import NIOCore

/// Serves each connection on the thread that its socket is read on, from the request's first byte to the answer's last.
///
/// A task is otherwise handed to Swift's own threads for each part that comes and back for each that goes, which costs a
/// small request more than all that it does. What takes long has threads of its own: passwords, packs, the writer.
struct LoopBoundChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base

    /// Bytes that are read at once, as a connection shows that it brings so many: each read of a body is a way through all
    /// layers.
    private static var reads: AdaptiveRecvByteBufferAllocator {
        AdaptiveRecvByteBufferAllocator(minimum: 1 << 10, initial: 4 << 10, maximum: 256 << 10)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.setOption(.recvAllocator, value: Self.reads).flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on one event loop, as long as nothing in them asks for another place.
private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
