import BothyContract
import BothySync
import Foundation

/// What lies below a local folder, one thing at a time, folders before what is in them and names in order.
///
/// Symbolic links are not followed and special files not read: each is told of, so that nothing is left out in silence but what
/// Bothy keeps for itself in a synced folder.
struct LocalTree: Sequence, IteratorProtocol {
    struct Entry: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case folder
            case file(size: Int64, modifiedAt: Timestamp, executable: Bool)
            /// Not taken, and why: the end of the sentence «It …».
            case leftOut(String)
        }

        /// Below the folder where the walk began.
        var names: [String]
        var kind: Kind
    }

    /// Folders deeper than this are told of and not entered; the server's paths end well before.
    static let deepest = 200

    private let root: String
    /// What is still to be looked at, the next last.
    private var waiting: [Entry] = []

    /// - Throws: a `Complaint` when the folder cannot be read.
    init(_ root: String) throws(Complaint) {
        self.root = root
        switch Self.list(root) {
        case .success(let children): waiting = children.reversed().map { Self.entry(root, [$0]) }
        case .failure(let why):
            throw Complaint(.localUnreadable, "The folder “\(root)” cannot be read: \(why.reason).", remedy: why.remedy)
        }
    }

    func makeIterator() -> LocalTree { self }

    mutating func next() -> Entry? {
        guard let entry = waiting.popLast() else { return nil }
        guard entry.kind == .folder else { return entry }
        guard entry.names.count < Self.deepest else {
            return Entry(names: entry.names, kind: .leftOut("lies \(Self.deepest) folders deep"))
        }
        let path = LocalTarget.joined(root, entry.names.joined(separator: "/"))
        switch Self.list(path) {
        case .success(let children):
            waiting += children.reversed().map { Self.entry(root, entry.names + [$0]) }
            return entry
        case .failure(let why):
            return Entry(names: entry.names, kind: .leftOut("cannot be read: \(why.reason)"))
        }
    }

    /// The names of a folder that was just walked into and of those beside it that are walked into next, a few at most.
    func nextFolders(from entry: Entry) -> [String] {
        let beside = waiting.reversed().lazy
            .drop { $0.names.count > entry.names.count }
            .prefix { $0.names.count == entry.names.count }
            .filter { $0.kind == .folder && isEntered($0) }
            .prefix(Self.foldersAhead)
        return (entry.names.last.map { [$0] } ?? []) + beside.compactMap(\.names.last)
    }

    private static let foldersAhead = 15

    private func isEntered(_ folder: Entry) -> Bool {
        let path = LocalTarget.joined(root, folder.names.joined(separator: "/"))
        return folder.names.count < Self.deepest && access(path, R_OK | X_OK) == 0
    }

    private static func entry(_ root: String, _ names: [String]) -> Entry {
        if let name = names.last {
            do {
                _ = try FileName.normalized(name)
            } catch {
                return Entry(names: names, kind: .leftOut("has a name that \(error.reason)"))
            }
        }
        return Entry(names: names, kind: kind(of: LocalTarget.joined(root, names.joined(separator: "/"))))
    }

    private static func kind(of path: String) -> Entry.Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // A name with bytes that are no UTF-8 was read with replacement characters, and so is not found.
            if errno == ENOENT, path.contains("\u{FFFD}") { return .leftOut("has a name that is not UTF-8") }
            return .leftOut("cannot be read: \(String(cString: strerror(errno)))")
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG:
            return .file(
                size: Int64(status.st_size), modifiedAt: LocalItem.modified(status),
                executable: status.st_mode & S_IXUSR != 0)
        case S_IFLNK: return .leftOut("is a symbolic link")
        default: return .leftOut("is a device, a socket or a pipe")
        }
    }

    private struct Unreadable: Error {
        var reason: String
        var remedy: String?
    }

    /// Names in byte order, so that two walks of the same folder tell the same. Names that are not UTF-8 are shown with
    /// replacement characters, and then found to be missing: they are left out, and told of.
    private static func list(_ path: String) -> Result<[String], Unreadable> {
        guard let directory = opendir(path) else {
            let remedy = errno == EACCES ? "Give yourself permission to read it." : nil
            return .failure(Unreadable(reason: String(cString: strerror(errno)), remedy: remedy))
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        // One that cannot be looked into stays in the list, and is told of when it is read.
        if names.contains(PrivateNames.folder), (try? SystemFolderDisk(path: path).mark()) != nil {
            names.removeAll { $0 == PrivateNames.folder }
        }
        return .success(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
}
