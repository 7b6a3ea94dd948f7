import Foundation

/// The lock on a data folder: two servers on one folder would undo each other's work.
///
/// The kernel lets go of it when the process ends, however it ends.
package final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Parameter opened: called between opening the file and locking it, when others may do anything; for tests.
    /// - Throws: ``ServerFault`` `locked` where another process holds it, or takes it away just now.
    package init(_ folder: DataFolder, opened: () -> Void = {}) throws {
        let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ServerFault(
                .folder, "The data folder \(folder.path) cannot be written: \(String(cString: strerror(errno))).")
        }
        opened()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isStill(descriptor, at: folder.lock) else {
            let holder = Self.holder(descriptor)
            close(descriptor)
            throw ServerFault(
                .locked,
                "Another Bothy\(holder) uses the data folder \(folder.path). Stop it first, or name another folder with --data."
            )
        }
        let note = "\(getpid())\n"
        ftruncate(descriptor, 0)
        _ = note.withCString { pwrite(descriptor, $0, strlen($0), 0) }
        self.descriptor = descriptor
    }

    deinit {
        // Let go of by name: a program that is just being started holds a copy of the descriptor until it runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether others who look for the file find this one: who takes a folder away unlinks it, and a lock on what has
    /// no name keeps nobody out.
    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }

    /// Who holds the lock, as far as it said.
    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return "" }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return Int(text) == nil ? "" : " (process \(text))"
    }
}
