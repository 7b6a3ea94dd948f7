import Foundation
import Synchronization

/// Brings SQLite's write-ahead log to the disk, for a writer that commits without waiting for that and then does what must not outlast
/// the record of it. Those that come while one sync is under way share the next.
final class SharedLogSync: Sendable {
    private struct State {
        var waiting = [CheckedContinuation<Void, any Error>]()
        var isUnderWay = false
    }

    private let path: String
    private let queue = DiskQueue("log")
    private let state = Mutex(State())

    /// - Parameter path: of the log.
    init(path: String) { self.path = path }

    /// Returns when everything that was committed before is on disk.
    func sync() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(continuation)
                defer { state.isUnderWay = true }
                return !state.isUnderWay
            }
            if isFirst { Task { await self.run() } }
        }
    }

    private func run() async {
        while let waiting = next() {
            var result = Result<Void, any Error>.success(())
            do { try await queue.run { [path] in try Self.sync(path) } } catch { result = .failure(error) }
            for one in waiting { one.resume(with: result) }
        }
    }

    private func next() -> [CheckedContinuation<Void, any Error>]? {
        state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isUnderWay = false }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }

    private static func sync(_ path: String) throws(ClientFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // Without a log everything is in the file, where it came by a sync.
        if descriptor < 0, errno == ENOENT { return }
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be opened") }
        defer { close(descriptor) }
        guard fdatasync(descriptor) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be synced") }
    }
}
