import NIOCore
import NIOPosix

/// Runs the tasks of transfers on one of the network's own threads.
///
/// A small file's transfer is a dozen steps of a few microseconds, each of which waits for the network or the disk; handing
/// each to a thread that has to be woken costs more than the step. What takes long (disk, hashing, database) has threads
/// of its own wherever it is called from.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(_ loop: any EventLoop) { self.loop = loop }

    /// One of the threads that `HTTPTransport` uses.
    package convenience init() { self.init(MultiThreadedEventLoopGroup.singleton.next()) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
