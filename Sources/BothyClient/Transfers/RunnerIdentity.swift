import Foundation

/// This process as one that runs transfers: a name in the records, and a lock that says that it still lives.
///
/// The kernel lets go of the lock when the process dies, however it dies; then others may take its transfers over.
package final class RunnerIdentity: Sendable {
    package let id: String
    private let folder: String
    private let lock: FileLock

    package init(locksFolder: String) throws(ClientFailure) {
        folder = locksFolder
        (id, lock) = try Self.freshLock(in: locksFolder)
    }

    /// Somebody who looks whether it is held may be in the way for an instant; then another name will do.
    private static func freshLock(in folder: String) throws(ClientFailure) -> (String, FileLock) {
        for _ in 0..<10 {
            let id = UUID().uuidString.lowercased()
            if let lock = try FileLock.tryTake(path(of: id, in: folder)) { return (id, lock) }
        }
        throw ClientFailure(.homeUnusable, "No lock can be had in “\(folder)”.")
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
            guard let runner = name.split(separator: ".").first.map(String.init), name.hasSuffix(".runner") else {
                continue
            }
            let path = Self.path(of: runner, in: folder)
            // One that cannot be taken stays, and is swept another time.
            if runner != id, let lock = try? FileLock.tryTake(path) {
                unlink(path)
                withExtendedLifetime(lock) {}
            }
        }
    }

    private static func path(of id: String, in folder: String) -> String { "\(folder)/\(id).runner" }
}
