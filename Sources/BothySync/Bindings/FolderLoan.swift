import BothyClient
import Foundation

/// A folder that is this process's for as long as this lives.
package final class FolderLoan: Sendable {
    private let lock: FileLock
    /// The pipe's, where a watch lends the folder.
    private let asking: Int32?

    private init(_ lock: FileLock, asking: Int32?) {
        self.lock = lock
        self.asking = asking
    }

    deinit { if let asking { close(asking) } }

    /// Seconds in which a watch lets go: it ends what it is in the middle of.
    private static let patience = 60.0

    /// - Parameters:
    ///   - lockPath: held by the process that keeps the folder in sync.
    ///   - deskPath: where a watch can be asked for it.
    /// - Returns: nil where somebody keeps it who does not lend it.
    static func take(
        _ lockPath: String, askingAt deskPath: String, clock: any ClientClock
    ) async throws -> FolderLoan? {
        if let lock = try FileLock.tryTake(lockPath) {
            lock.note("")
            return FolderLoan(lock, asking: nil)
        }
        // Nobody reads from it: there is no watch.
        let desk = open(deskPath, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard desk >= 0 else { return nil }
        do {
            _ = write(desk, "?", 1)
            let giveUp = clock.uptime() + patience
            while clock.uptime() < giveUp {
                if let lock = try FileLock.tryTake(lockPath) { return FolderLoan(lock, asking: desk) }
                try await clock.sleep(seconds: 0.02)
            }
        } catch {
            close(desk)
            throw error
        }
        close(desk)
        return nil
    }
}
