import Foundation

/// The lock on a folder that a backup is written into: on the folder itself, so that nothing is left in it.
///
/// The kernel lets go of it when the process ends, however it ends.
final class BackupLock: Sendable {
    private let descriptor: Int32

    /// - Parameter isShared: for readers; any number of them hold it together.
    /// - Returns: nil where another holds it. A disk that knows no locks on folders, as some networks' do, grants it to all.
    /// - Throws: `POSIXError` where the folder cannot be opened.
    init?(folder: String, isShared: Bool = false) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit {
        // Let go of by name: a program that is just being started holds a copy of the descriptor until it runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
