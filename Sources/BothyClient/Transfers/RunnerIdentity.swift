import Foundation

/// This process as one that runs transfers: a name in the records, and a lock that says that it still lives.
///
/// The kernel lets go of the lock when the process dies, however it dies; then others may take its transfers over.
package final class RunnerIdentity: Sendable {
    package let id: String
    private let folder: String
    private let lock: FileLock

    package init(locksFolder: String) throws(ClientFailure) {
        let id = UUID().uuidString.lowercased()
        guard let lock = try FileLock.tryTake(Self.path(of: id, in: locksFolder)) else {
            throw ClientFailure(.homeUnusable, "The lock of a new process is taken already in “\(locksFolder)”.")
        }
        self.id = id
        folder = locksFolder
        self.lock = lock
    }

    deinit { unlink(Self.path(of: id, in: folder)) }

    /// Whether the process that wrote this name still lives; this one does.
    package func isAlive(_ runner: String?) -> Bool {
        guard let runner else { return false }
        return runner == id || FileLock.isHeld(Self.path(of: runner, in: folder))
    }

    /// Removes the locks that dead processes left behind.
    package func sweep() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let runner = name.split(separator: ".").first.map(String.init), name.hasSuffix(".runner") else { continue }
            if !isAlive(runner) { unlink(Self.path(of: runner, in: folder)) }
        }
    }

    private static func path(of id: String, in folder: String) -> String { "\(folder)/\(id).runner" }
}
