import BothyContract
import GRDB

/// What is let go, and what comes back.
extension ReplicaStore {
    /// - Parameter limit: bytes of metadata that this device's person lets it keep; nil for as much as the server says.
    package func noteUses(ofFolders ids: Set<String>, contents: Set<String>, limit: Int64? = nil) async throws {
        guard !ids.isEmpty || !contents.isEmpty else { return }
        // Most of the time nothing is near its cap, and the order of uses is nobody's concern: a command that only looks
        // writes nothing.
        let matters = try await ground { ground in
            let cap = min(try ReplicaStateTable.metadataCap(in: ground.db).bytes ?? .max, limit ?? .max)
            return try KeptMetadata.bytes(in: ground.db) > cap / 2
        }
        guard matters || !contents.isEmpty else { return }
        try await transact { db in
            let folders = try Self.luids(ids, in: db).map(UseTable.Thing.folder)
            try UseTable.note(folders + contents.sorted().map(UseTable.Thing.content), in: db)
        }
    }

    func luids(ofServerIds ids: Set<String>) async throws -> Set<LUID> {
        guard !ids.isEmpty else { return [] }
        return try await ground { ground in Set(try Self.luids(ids, in: ground.db)) }
    }

    func uses() async throws -> [String: Int64] { try await ground { ground in try UseTable.all(in: ground.db) } }

    func forgetUses(ofContents revisions: [String]) async throws {
        guard !revisions.isEmpty else { return }
        try await transact { db in
            for revision in revisions { try UseTable.forget(.content(revision), in: db) }
        }
    }

    /// - Parameter names: of all that was given up here and is still kept.
    /// - Returns: what has been kept for its time.
    func lookAtGivenUp(_ names: [String], lived: Int64) async throws -> [String] {
        if names.isEmpty, try await ground({ ground in try GivenUpTable.isEmpty(in: ground.db) }) { return [] }
        return try await transact { db in try GivenUpTable.look(at: names, lived: lived, in: db) }
    }

    func metadataCap() async throws -> (bytes: Int64?, askedAt: Timestamp?) {
        try await ground { ground in try ReplicaStateTable.metadataCap(in: ground.db) }
    }

    package func setMetadataCap(_ bytes: Int64, askedAt: Timestamp) async throws {
        try await transact { db in try ReplicaStateTable.setMetadataCap(bytes, askedAt: askedAt, in: db) }
    }

    /// One round of letting go.
    ///
    /// - Parameters:
    ///   - bound: folders of which nothing is let go, with all that lies below them.
    ///   - open: folders that are looked at now.
    /// - Returns: how many folders were thinned.
    func letGo(bound: Set<String>, open: Set<LUID>, cap: Int64) async throws -> Int {
        // Looking costs nothing and locks nobody out; most of the time it is all there is to do.
        guard try await ground({ ground in try KeptMetadata.bytes(in: ground.db) }) > cap else { return 0 }
        return try await transact { db in
            guard try ReplicaStateTable.read(db).isLinked else { return 0 }
            let metadata = KeptMetadata(db: db)
            var stays = open
            for luid in try Self.luids(bound, in: db) {
                stays.formUnion(try RemoteFileTable.folders(below: luid, in: db))
            }
            let shelves = try metadata.shelves(staying: stays)
            let chosen = Eviction.choose(shelves, held: try KeptMetadata.bytes(in: db), cap: cap)
            for folder in chosen { try metadata.letGo(folder) }
            return chosen.count
        }
    }

    package func fill(_ folder: LUID, with files: [File], asOf cursor: String?) async throws -> PageEffect? {
        try await transact { db in try PageIntake.fill(folder, with: files, asOf: cursor, in: db) }
    }

    /// Takes in what the server told of files whose folders' files were let go here.
    func know(_ files: [File], asOf cursor: String?) async throws -> PageEffect? {
        guard try await ground({ ground in try ThinnedFolderTable.count(in: ground.db) }) > 0 else { return nil }
        return try await transact { db in try PageIntake.know(files, asOf: cursor, in: db) }
    }

    func areKnown(_ files: [File]) async throws -> Bool {
        try await ground { ground in
            try files.allSatisfy { try LuidTable.find(serverId: $0.id, in: ground.db) != nil }
        }
    }

    private static func luids(_ ids: Set<String>, in db: Database) throws -> [LUID] {
        try ids.sorted().compactMap { try LuidTable.find(serverId: $0, in: db) }
    }
}
