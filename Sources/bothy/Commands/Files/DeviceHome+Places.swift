import BothyClient
import BothyContract
import BothySync

extension DeviceHome {
    /// The folder at a path.
    ///
    /// - Throws: a `Complaint` that names the path when nothing or a file is there.
    func folder(at path: RemotePath, remedy: String) async throws -> File {
        guard let folder = try await files.fileIfPresent(at: path) else {
            throw Complaint(
                .notThere,
                files.isOffline
                    ? "There is no folder “\(path)”, as far as this device knows: there is no connection."
                    : "There is no folder “\(path)” on the server.",
                remedy: remedy, status: .notThereOrInConflict)
        }
        guard folder.isFolder else {
            throw Complaint(
                .notAFolder, "“\(path)” on the server is a file, not a folder.", remedy: "Choose a folder.",
                status: .notThereOrInConflict)
        }
        return folder
    }

    /// The file (no folder) at a path.
    func plainFile(at path: RemotePath, remedy: String) async throws -> File {
        let file = try await files.file(at: path)
        guard !file.isFolder else {
            throw Complaint(
                .isAFolder, "“\(path)” on the server is a folder.", remedy: remedy, status: .notThereOrInConflict)
        }
        return file
    }

    /// Refuses what the server alone can do to something that it does not have yet.
    ///
    /// - Throws: a `Complaint` that names the path.
    func requireOnServer(_ file: File, at path: RemotePath) throws(Complaint) {
        guard file.isOnlyHere else { return }
        throw Complaint(
            code: FailureCode.pendingWork.rawValue, message: "“\(path)” has not been sent yet.",
            remedy: files.isOffline
                ? "Try again once there is a connection; “bothy journal” shows what is waiting."
                : "“bothy journal” shows it; try again once it has been sent.")
    }

    /// Where a file's content lies on this device. The reader compares its hash with what that should be.
    ///
    /// - Throws: a `Complaint` where it does not.
    func heldContent(of file: File) async throws -> HeldCopy {
        let luid = try await replica.luid(of: file.id)
        if let known = try await replica.file(luid), let copy = try await replica.heldCopy(of: known) { return copy }
        let bindings = FolderBindings(home: self)
        if let revision = file.headRevisionId,
            let path = try await bindings.localContent(of: file.id, revision: revision)
        {
            return HeldCopy(kind: .inStep, path: path, size: file.size, checksum: file.checksum)
        }
        let edited = try await bindings.otherContent(of: file)
        throw Complaint(
            code: FailureCode.offline.rawValue,
            message: "There is no connection, and the content of “\(file.name)” on the server is not on this device.",
            remedy: edited.map { "“\($0)”, which is synced with it, has another version." }
                ?? "With a connection, “bothy pin” keeps files on this device.")
    }
}
