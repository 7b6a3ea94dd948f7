import BothyClient
import BothyContract
import CShims
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
        guard let facts = DiskFacts(AT_FDCWD, path, followingLinks: true) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ClientFailure(errno: errno, path: path, doing: "be looked at")
        }
        return facts.kind == .folder ? facts : nil
    }

    package func list(_ folder: Place) throws(ClientFailure) -> [DiskEntry] {
        try opened(folder).entries().filter { !(folder.isRoot && $0.name.text == PrivateNames.folder) }
    }

    package func facts(_ path: Place) throws(ClientFailure) -> DiskFacts? {
        guard !path.isRoot else { return try root() }
        do {
            return try opened(path.parent).facts(path.name.text)
        } catch  where error.code == .fileMissing || error.code == .destinationFolderMissing {
            return nil
        }
    }

    package func hash(
        _ path: Place, expecting expected: DiskFacts
    ) throws(ClientFailure) -> ContentHash {
        let file = try OpenFile(path.name.text, in: opened(path.parent))
        guard try file.facts() == expected else { throw Self.changed(path, .sourceChanged) }
        let hash = try file.hash()
        guard try file.facts() == expected else { throw Self.changed(path, .sourceChanged) }
        return hash
    }

    package func hash(_ files: [ExpectedFile]) -> [Result<ContentHash, ClientFailure>] {
        DiskWork.sideBySide(files) { file in
            Result { () throws(ClientFailure) in try hash(file.place, expecting: file.facts) }
        }
    }

    package func isBeingWritten(_ path: Place) throws(ClientFailure) -> Bool {
        try OpenFile(path.name.text, in: opened(path.parent)).isBeingWritten
    }

    /// What cannot be opened is taken for what nobody writes in.
    func isBeingWritten(_ name: String, in folder: borrowing OpenFolder) -> Bool {
        guard let file = try? OpenFile(name, in: folder) else { return false }
        return file.isBeingWritten
    }

    package func contents(_ path: Place, atMost limit: Int) throws(ClientFailure) -> [UInt8] {
        let file = try OpenFile(path.name.text, in: opened(path.parent))
        guard try file.facts().kind == .file else {
            throw ClientFailure(.sourceNotAFile, "“\(path)” is not a file.")
        }
        return try file.contents(atMost: limit)
    }

    package func freeBytes() throws(ClientFailure) -> Int64 { try SystemDisk().freeBytes(at: path) }

    package func keepsInodes() throws(ClientFailure) -> Bool {
        let folder = try OpenFolder(root: path)
        let answer = folder.keepsInodes()
        guard answer >= 0 else { throw ClientFailure(errno: -answer, path: path, doing: "be looked at") }
        return answer == 1
    }

    package func absolute(_ path: Place) -> String { path.isRoot ? self.path : "\(self.path)/\(path.text)" }

    func opened(_ folder: Place) throws(ClientFailure) -> OpenFolder {
        try OpenFolder(root: path).walk(folder.names.map(\.text))
    }

    static func changed(_ path: Place, _ code: FailureCode = .changedMeanwhile) -> ClientFailure {
        ClientFailure(code, "“\(path)” changed meanwhile.", remedy: "It is checked again in the next pass.")
    }
}
