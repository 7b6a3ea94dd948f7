import Foundation

/// Small files that are on the disk when the call returns. Blocks.
enum DurableFile {
    static func write(_ text: String, to path: String) throws {
        let new = path + ".new"
        try Data(text.utf8).write(to: URL(fileURLWithPath: new))
        try sync(new)
        try move(new, to: path)
    }

    /// In one step: who looks finds the old file or the new one.
    static func move(_ from: String, to path: String) throws {
        guard rename(from, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        try sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// A file, or a folder's list of names.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
