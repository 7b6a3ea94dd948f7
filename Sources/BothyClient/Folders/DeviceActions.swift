import BothyContract

/// What a person does on this device: written down, shown at once, and sent when there is a way.
struct DeviceActions: FileActions {
    private let replica: ReplicaEngine
    private let files: FilesRepository

    init(_ replica: ReplicaEngine, files: FilesRepository) {
        self.replica = replica
        self.files = files
    }

    func makeFolder(named name: String, in folder: ItemID) async throws -> FolderItem {
        let operation = try await replica.record(.createFolder(parent: try folder.luid(), name: name))
        return try await item(operation?.subject)
    }

    func rename(_ id: ItemID, to name: String) async throws -> FolderItem { try await record(.rename(name: name), id) }

    func move(_ id: ItemID, to folder: ItemID) async throws -> FolderItem {
        try await record(.move(parent: try folder.luid(), name: nil), id)
    }

    func setStarred(_ starred: Bool, _ id: ItemID) async throws -> FolderItem { try await record(.star(starred), id) }

    /// What the page of a device shows comes from its replica, which knows what it has heard.
    func trash(_ id: ItemID, seen _: FolderMark?) async throws {
        let file = try await replica.present(id)
        let seen = try await replica.read { view in try view.seen(file.luid) }
        // What was never sent stays in the journal with its deletion: it can be brought back as anything can.
        try await replica.record(.trash(seen: seen), on: file.luid, collapsing: false)
    }

    func untrash(_ id: ItemID) async throws -> FolderItem { try await record(.restore, id) }

    /// By the server, where it has the file: no byte moves. Without a connection by what is on this device.
    func copy(_ id: ItemID, to folder: ItemID) async throws -> FolderItem {
        let (file, target) = (try await replica.present(id), try await replica.present(folder))
        let name = try await freeName(like: file.name, in: target.luid)
        if let source = file.serverId, let parent = target.serverId, file.pendingContent == nil {
            do {
                let copy = try await files.copy(source, to: parent, as: name, briefly: true)
                try await replica.pull()
                return try await item(try await replica.luid(ofServerId: copy.id))
            } catch let failure as ClientFailure where failure.code == .offline {
                // What is here can be copied here.
            }
        }
        guard !file.isFolder, let held = try await replica.heldCopy(of: file) else {
            throw ClientFailure(
                .offline, "Copying “\(file.name)” needs a connection: it is not completely on this device.",
                remedy: "Try again when there is one.")
        }
        do {
            let made = try await replica.put(
                held.path, as: name, in: target.luid.description, mimeType: file.mimeType, checksum: held.checksum)
            return try await item(made?.subject)
        } catch let failure as ClientFailure where failure.code == .integrityMismatch {
            try await replica.letGo(ofDamaged: held)
            throw held.damage(of: file.name, isOffline: true)
        }
    }

    private func record(_ action: JournalOperation.Action, _ id: ItemID) async throws -> FolderItem {
        let luid = try id.luid()
        try await replica.record(action, on: luid)
        return try await item(luid)
    }

    private func item(_ luid: LUID?) async throws -> FolderItem {
        guard let luid, let file = try await replica.file(luid) else { throw ReplicaEngine.unknown }
        return FolderItem(file)
    }

    private func freeName(like name: String, in folder: LUID) async throws -> String {
        try await replica.read { view in
            var (free, number) = (name, 0)
            while try view.child(free, of: folder) != nil {
                number += 1
                free = FileName.numbered(name, number)
            }
            return free
        }
    }
}
