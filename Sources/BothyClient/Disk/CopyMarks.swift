import Foundation

/// A folder with a mark for each copy that is being made. The process that makes it holds the mark locked, and the kernel lets go of the lock
/// when that process dies, however it dies: a mark that is there and not locked is of a copy that is not whole.
struct CopyMarks: Sendable {
    let folder: String

    /// Makes a copy under a new name, with its mark beside for as long as that takes.
    func with<Made>(_ newName: () -> String, _ make: (_ name: String) throws -> Made) throws -> Made {
        for _ in 0..<10 {
            let name = newName()
            // Somebody who sweeps may be in the way for an instant; then another name will do.
            guard let lock = try FileLock.tryTake(path(name)) else { continue }
            defer {
                // Before the lock is let go of: nobody is to take it for one that was left.
                unlink(path(name))
                withExtendedLifetime(lock) {}
            }
            return try make(name)
        }
        throw ClientFailure(.homeUnusable, "No lock can be had in “\(folder)”.")
    }

    /// Removes the marks of processes that died, each after what it marks.
    ///
    /// - Parameter remove: removes the copy of that name.
    func sweep(_ remove: (_ name: String) throws -> Void) throws {
        for name in names() {
            guard let lock = FileLock.takeLeft(path(name)) else { continue }
            try remove(name)
            unlink(path(name))
            withExtendedLifetime(lock) {}
        }
    }

    /// Of all copies, also those that are being made. A folder that cannot be listed has none for now.
    func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
