import BothyClient
import BothyContract
import Foundation

/// The disk of a bound folder on this machine, through POSIX.
package struct SystemFolderDisk: FolderDisk {
    /// Absolute, with no slash at its end.
    package let path: String

    /// What this process leaves out of the modes of new files. POSIX tells it only by setting it.
    static let creationMask: mode_t = {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }()

    package init(path: String) { self.path = path }

    package func root() throws(ClientFailure) -> DiskFacts? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ClientFailure(errno: errno, path: path, doing: "be looked at")
        }
        let facts = DiskFacts(status)
        return facts.kind == .folder ? facts : nil
    }

    package func list(_ folder: DiskPath) throws(ClientFailure) -> [DiskEntry] {
        try opened(folder).entries().filter { !PrivateNames.holds($0.name, in: folder) }
    }

    package func facts(_ path: DiskPath) throws(ClientFailure) -> DiskFacts? {
        guard !path.isRoot else { return try root() }
        do {
            return try opened(path.parent).facts(path.name)
        } catch  where error.code == .fileMissing || error.code == .destinationFolderMissing {
            return nil
        }
    }

    package func hash(
        _ path: DiskPath, expecting expected: DiskFacts
    ) throws(ClientFailure) -> ContentHash {
        let file = try OpenFile(path.name, in: opened(path.parent))
        guard try file.facts() == expected else { throw Self.changed(path, .sourceChanged) }
        let hash = try file.hash()
        guard try file.facts() == expected else { throw Self.changed(path, .sourceChanged) }
        return hash
    }

    package func contents(_ path: DiskPath, atMost limit: Int) throws(ClientFailure) -> [UInt8] {
        let file = try OpenFile(path.name, in: opened(path.parent))
        guard try file.facts().kind == .file else {
            throw ClientFailure(.sourceNotAFile, "“\(path)” is not a file.")
        }
        return try file.contents(atMost: limit)
    }

    package func freeBytes() throws(ClientFailure) -> Int64 { try SystemDisk().freeBytes(at: path) }

    package func absolute(_ path: DiskPath) -> String { path.isRoot ? self.path : "\(self.path)/\(path.text)" }

    func opened(_ folder: DiskPath) throws(ClientFailure) -> OpenFolder {
        try OpenFolder(root: path).walk(folder.names)
    }

    static func changed(_ path: DiskPath, _ code: FailureCode = .changedMeanwhile) -> ClientFailure {
        ClientFailure(code, "“\(path)” changed meanwhile.", remedy: "It is looked at again in the next pass.")
    }
}
