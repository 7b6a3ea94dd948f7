import BothyContract
import Foundation

/// What stands at a local path.
enum LocalItem: Equatable, Sendable {
    case nothing
    case folder
    case file(size: Int64, modifiedAt: Timestamp)
    case other

    /// What a person means by the path: symbolic links that they typed themselves are followed.
    ///
    /// - Throws: a `Complaint` when it cannot be looked at.
    static func at(_ path: String) throws(Complaint) -> LocalItem {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return .nothing }
            throw Complaint(
                .localUnreadable, "“\(path)” cannot be read: \(String(cString: strerror(errno))).",
                remedy: "Check the path and your permissions.")
        }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFREG: .file(size: Int64(status.st_size), modifiedAt: modified(status))
        default: .other
        }
    }

    /// Whether a file whose size is told as nothing gives something all the same.
    static func hasMoreThanItsSize(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1
    }

    static func modified(_ status: stat) -> Timestamp {
        #if os(Linux)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }
}
