import Foundation

/// A lock that other processes see, held for as long as this lives; the kernel frees it when the process dies.
package final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // Let go of by name: a program that is just being started holds a copy of the descriptor until it runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Returns: nil while somebody else holds it.
    package static func tryTake(_ path: String) throws(ClientFailure) -> FileLock? {
        while true {
            let lock = FileLock(descriptor: try open(path))
            if flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK else { throw ClientFailure(errno: errno, path: path, doing: "be locked") }
                // A look (``isHeld(_:)``) shares it for a moment, and keeps nobody from it.
                guard flock(lock.descriptor, LOCK_SH | LOCK_NB) == 0 else { return nil }
                sched_yield()
                continue
            }
            // The last holder may have removed the file meanwhile: a lock that nobody can see is none.
            if lock.isVisible(at: path) { return lock }
        }
    }

    /// The lock of somebody who died without removing it.
    ///
    /// - Returns: nil while somebody holds it, and where nobody left it.
    package static func takeLeft(_ path: String) -> FileLock? {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let lock = FileLock(descriptor: descriptor)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && lock.isVisible(at: path) ? lock : nil
    }

    private func isVisible(at path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }

    /// Waits for its holder, looking again every 20 ms.
    package static func take(_ path: String, clock: any ClientClock) async throws -> FileLock {
        while true {
            if let lock = try tryTake(path) { return lock }
            try await clock.sleep(seconds: 0.02)
        }
    }

    /// Writes down a few words for those who meet the lock, in the place of those before.
    package func note(_ words: String) {
        // They say who it is, and nothing goes by them: a full disk keeps nobody from the lock.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, words, words.utf8.count, 0)
    }

    /// What its holder has written down; nil where nobody holds it.
    package static func note(at path: String) -> String? {
        // It may be gone by now, and then nobody holds it.
        isHeld(path) ? try? String(contentsOfFile: path, encoding: .utf8) : nil
    }

    /// Whether somebody, in this process or another, holds it now.
    package static func isHeld(_ path: String) -> Bool {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Shared, so that two who look do not take each other for the holder.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func open(_ path: String) throws(ClientFailure) -> Int32 {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be written") }
        return descriptor
    }
}
