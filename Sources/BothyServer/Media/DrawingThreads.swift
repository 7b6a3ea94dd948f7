import Foundation
import NIOPosix
import Synchronization

/// The threads that wait for programs, and the end of all of them: a server that stops waits for none.
final class DrawingThreads: Sendable {
    private let threads: NIOThreadPool
    /// A pipe: what is written at its one end can be read at the other, which programs are ended by.
    private let stopped: Int32
    private let stopping: Int32
    private let isStopping = Atomic(false)
    /// They are started by the first program: most servers that run for a minute draw nothing.
    private let hasStarted = Mutex(false)

    init(count: Int) {
        var ends: [Int32] = [-1, -1]
        // Without it programs end by their time alone.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        (stopped, stopping) = (ends[0], ends[1])
        threads = NIOThreadPool(numberOfThreads: count)
    }

    deinit {
        for end in [stopped, stopping] where end >= 0 { _ = close(end) }
    }

    func run(_ program: BoundedProgram) async throws -> BoundedProgram.Ending {
        start()
        return try await threads.runIfActive { [self] in
            program.run(stop: stopped) { isStopping.load(ordering: .acquiring) }
        }
    }

    /// A pool that is being started by another thread ends the process when it is started.
    private func start() {
        hasStarted.withLock { hasStarted in
            if !hasStarted { threads.start() }
            hasStarted = true
        }
    }

    /// Ends what runs. To be called once.
    func stop() async throws {
        isStopping.store(true, ordering: .releasing)
        // A byte stays there for all to see.
        var byte: UInt8 = 0
        _ = write(stopping, &byte, 1)
        try await threads.shutdownGracefully()
    }
}
