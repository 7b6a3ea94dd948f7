import BothyClient
import BothyContract

/// Copies a file, or a folder with all below it: folders are made anew, files copied by reference.
struct FolderCopy {
    let home: DeviceHome

    /// - Throws: a `Complaint` when the name is taken, or a folder would go into itself.
    func copy(_ file: File, from source: RemotePath, into parent: File, at target: RemotePath) async throws -> File {
        guard let name = target.name else { throw SourcesAndTarget.taken(target) }
        if file.isFolder, target.names.starts(with: source.names) {
            throw Complaint(
                .pathInvalid, "“\(source)” cannot be copied into itself.", remedy: "Choose another place.",
                status: .wrongUsage)
        }
        do {
            guard file.isFolder else { return try await home.files.copy(file.id, to: parent.id, as: name) }
            let top = try await home.files.makeFolder(named: name, in: parent.id)
            try await copyContents(of: file, into: top)
            return top
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            throw SourcesAndTarget.taken(target)
        }
    }

    private func copyContents(of folder: File, into top: File) async throws {
        var waiting = [(folder.id, top.id)]
        while let (source, target) = waiting.popLast() {
            for try await page in home.files.list(source) {
                for child in page {
                    if child.isFolder {
                        waiting.append((child.id, try await home.files.makeFolder(named: child.name, in: target).id))
                    } else {
                        _ = try await home.files.copy(child.id, to: target)
                    }
                }
            }
        }
    }
}
