import BothyClient
import BothyContract
import BothyServer

/// What a person does in the server's own web app: each a transaction, as a request of a device is.
struct HostedActions: FileActions {
    /// Looks that one deletion takes: another where something has changed between the look and its transaction.
    private static let mostLooks = 3

    private let services: ServerServices
    private let caller: Caller
    private let unseen: UnseenChanges

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
        unseen = UnseenChanges(services, caller)
    }

    func makeFolder(named name: String, in folder: ItemID) async throws -> FolderItem {
        try await act("folder") { db, stamp in
            try FileCreation(name: name, mimeType: File.folderMimeType, parentId: folder.text, requestId: nil)
                .perform(in: db, stamp: stamp)
        }
    }

    func rename(_ id: ItemID, to name: String) async throws -> FolderItem {
        try await update(id, UpdateFileRequest(name: name))
    }

    func move(_ id: ItemID, to folder: ItemID) async throws -> FolderItem {
        try await update(id, UpdateFileRequest(parentId: folder.text))
    }

    func copy(_ id: ItemID, to folder: ItemID) async throws -> FolderItem {
        try await act("copy") { db, stamp in
            let files = FileTable(db, drive: stamp.driveId)
            let name = try files.freeName(like: try files.require(id.text).row.name, in: folder.text)
            return try FileCopying(sourceId: id.text, name: name, parentId: folder.text, requestId: nil)
                .perform(in: db, stamp: stamp)
        }
    }

    func setStarred(_ starred: Bool, _ id: ItemID) async throws -> FolderItem {
        try await update(id, UpdateFileRequest(starred: starred))
    }

    func trash(_ id: ItemID, seen: FolderMark?) async throws {
        guard let seen else {
            _ = try await update(id, UpdateFileRequest(trashed: true))
            return
        }
        var looks = 0
        while true {
            looks += 1
            let look = try await failing { try await unseen.look(since: seen) }
            do {
                _ = try await act("trash", from: .reserve) { db, stamp in
                    try look.trash(id, in: db, stamp: stamp)
                }
                return
            } catch let failure as ClientFailure where failure.code == .changedMeanwhile {
                guard looks < Self.mostLooks, look.isClear(of: id) else { throw failure }
            }
        }
    }

    func untrash(_ id: ItemID) async throws -> FolderItem { try await update(id, UpdateFileRequest(trashed: false)) }

    private func update(_ id: ItemID, _ request: UpdateFileRequest) async throws -> FolderItem {
        let update = FileUpdate(id: id.text, request: request)
        let seen = try await failing {
            try await DepthLook.taken(for: update, of: caller.driveId, in: services.database)
        }
        return try await act("update") { db, stamp in
            var informed = update
            informed.seen = seen
            return try informed.perform(in: db, stamp: stamp)
        }
    }

    private func act(
        _ name: String, from room: WriteRoom = .shared,
        _ action: @escaping @Sendable (any SQLConnection, ChangeStamp) throws -> FileChange
    ) async throws -> FolderItem {
        try await failing {
            let outcome = try await services.mutations.perform(
                .none(for: "web \(name)"), for: caller, from: room
            ) { db, stamp in
                let change = try action(db, stamp)
                return Mutation(answer: change.row.file(trashed: change.trashed), cursor: change.cursor)
            }
            return FolderItem(outcome.answer)
        }
    }
}

extension FolderItem {
    init(_ file: File) {
        self.init(
            id: ItemID(file.parentId == nil ? File.rootId : file.id), name: file.name, mimeType: file.mimeType,
            size: file.size, modifiedAt: file.modifiedAt, starred: file.starred)
    }
}
