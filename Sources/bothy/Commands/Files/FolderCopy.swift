import BothyClient
import BothyContract

/// Copies a file, or a folder with all below it, by reference: in one request where the server takes it in one, else folder
/// by folder.
struct FolderCopy {
    let home: DeviceHome

    /// - Throws: a `Complaint` when the name is taken, or a folder would go into itself.
    func copy(_ file: File, from source: RemotePath, into parent: File, at target: RemotePath) async throws -> File {
        guard let name = target.name else { throw SourcesAndTarget.taken(target) }
        try SourcesAndTarget.refuseIntoItself(file, from: source, to: target)
        try home.requireOnServer(file, at: source)
        try home.requireOnServer(parent, at: target.parent)
        do {
            return try await copy(file, to: parent.id, as: name)
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            throw SourcesAndTarget.taken(target)
        }
    }

    private func copy(_ file: File, to parentId: String, as name: String) async throws -> File {
        do {
            return try await home.files.copy(file.id, to: parentId, as: name)
        } catch let failure as ClientFailure where failure.problem?.code == .tooManyItems {
            return try await copyInPieces(file, to: parentId, as: name)
        }
    }

    /// A folder that holds too much for one request; each folder in it is tried whole again.
    private func copyInPieces(_ folder: File, to parentId: String, as name: String) async throws -> File {
        let top = try await home.files.makeFolder(named: name, in: parentId)
        for try await page in home.files.list(folder.id) {
            for child in page { _ = try await copy(child, to: top.id, as: child.name) }
        }
        return top
    }
}
