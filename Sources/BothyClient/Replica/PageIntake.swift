import BothyContract
import GRDB

/// What a page of changes did to the cache and the journal.
package struct PageEffect: Equatable, Sendable {
    /// What the view must look at again.
    package var keys = Set<ViewKey>()
    /// Things that the server says are gone for good.
    package var removed = [LUID]()
    /// Things that a new link did not tell of: no deletion.
    package var forgotten = [LUID]()
    /// Operations that left the journal, their effect being here.
    package var retired = [JournalOperation]()
    /// Operations that know more now: what they were made from has become a revision of the server's.
    package var changed = [JournalOperation]()
    package var hasMore = false
}

/// Takes a page of the server's changes into the cache: the only thing that writes it. A page is taken whole, with its
/// cursor, in one transaction, or not at all.
struct PageIntake {
    private let db: Database
    private var effect = PageEffect()

    init(_ db: Database) { self.db = db }

    /// - Parameters:
    ///   - cursor: where the page was asked from.
    ///   - settled: operations that the server had done before the page was asked for: at the log's end, what they are
    ///     about is in the cache, or gone.
    ///   - now: when it came.
    /// - Returns: nil when somebody else has moved the cursor meanwhile: then the page is nothing new.
    static func take(
        _ page: GetChangesResponse, after cursor: String?, of accountId: String, settled: Set<Int64> = [],
        now: Timestamp,
        in db: Database
    ) throws -> PageEffect? {
        var state = try ReplicaStateTable.read(db)
        guard state.cursor == cursor else { return nil }
        var intake = PageIntake(db)
        for change in page.changes where change.kind == .file { try intake.take(change, link: state.link) }
        state.accountId = accountId
        state.cursor = page.cursor
        if !page.hasMore {
            try intake.finish(&state)
            for id in settled { try intake.retire(settled: id) }
            state.pulledAt = now
        }
        try ReplicaStateTable.write(state, in: db)
        intake.effect.hasMore = page.hasMore
        return intake.effect
    }

    /// Takes in all that is in a folder whose files were let go, as the server lists it.
    ///
    /// - Parameter cursor: how far the replica was when the list was begun: what happens after it is told by the log.
    /// - Returns: nil when the cursor has moved meanwhile: the list may tell of what is gone by now.
    static func fill(
        _ folder: LUID, with files: [File], asOf cursor: String?, in db: Database
    ) throws -> PageEffect? {
        let state = try ReplicaStateTable.read(db)
        guard state.cursor == cursor, state.isLinked else { return nil }
        var intake = PageIntake(db)
        for file in files {
            try intake.take(Change(kind: .file, id: file.id, removed: false, file: file), link: state.link)
        }
        try ThinnedFolderTable.remove(folder, in: db)
        return intake.effect
    }

    private mutating func take(_ change: Change, link: Int64) throws {
        guard !change.removed, let file = change.file else { return try remove(serverId: change.id) }
        let parent = try file.parentId.map { try LuidTable.ensure(serverId: $0, in: db) }
        let luid = try claim(file, parent: parent)
        let new = ReplicaFile(file, luid: luid, parent: parent)
        let old = try RemoteFileTable.find(luid, in: db)
        // A page may come twice, and the first pages of a link tell what the log tells again: never back in time.
        if let old, old.version > new.version, try rowIsOfThisLink(luid, link) { return }
        try RemoteFileTable.save(new, link: link, in: db)
        note(old)
        note(new)
        try retire(luid, upTo: new.version)
    }

    private func rowIsOfThisLink(_ luid: LUID, _ link: Int64) throws -> Bool {
        try Int64.fetchOne(db, sql: "SELECT link FROM remote_files WHERE luid = ?", arguments: [luid.value]) == link
    }

    // MARK: - Who it is

    /// The first server object that matches gets the LUID of what waits; the others get new ones.
    private mutating func claim(_ file: File, parent: LUID?) throws -> LUID {
        if let known = try LuidTable.find(serverId: file.id, in: db) { return known }
        guard let waiting = try waiting(for: file, parent: parent) else {
            return try LuidTable.ensure(serverId: file.id, in: db)
        }
        _ = try LuidTable.bind(waiting, to: file.id, in: db)
        effect.keys.insert(.file(waiting))
        // What would make it is done, whoever did it.
        for operation in try OperationTable.of(waiting, in: db) where operation.creates {
            var done = operation
            done.state = .acknowledged
            done.acknowledgedVersion = file.version
            effect.changed += try Acknowledgement.rebase(&done, onto: file, in: db)
            try OperationTable.save(done, in: db)
        }
        return waiting
    }

    private func waiting(for file: File, parent: LUID?) throws -> LUID? {
        if let requestId = file.requestId, let luid = try OperationTable.subject(madeBy: requestId, in: db) {
            return luid
        }
        guard file.trashedAt == nil else { return nil }
        if file.isFolder { return try OperationTable.subject(creatingFolder: file.name, in: parent, db) }
        guard let hash = file.checksum else { return nil }
        return try OperationTable.subject(uploading: hash, to: parent, as: file.name, in: db)
    }

    // MARK: - Gone

    private mutating func remove(serverId: String) throws {
        guard let luid = try LuidTable.find(serverId: serverId, in: db) else { return }
        guard let old = try RemoteFileTable.find(luid, in: db) else { return }
        try RemoteFileTable.remove(luid, in: db)
        note(old)
        effect.removed.append(luid)
        try retire(luid, upTo: .max)
        // What lies below is gone too, but for what the log, further on, says was moved out.
        if old.isFolder {
            try db.execute(sql: "INSERT OR IGNORE INTO gone_folders (luid) VALUES (?)", arguments: [luid.value])
        }
    }

    /// The log's end: what lies below folders that are gone is gone, and a link has told everything there is.
    private mutating func finish(_ state: inout ReplicaState) throws {
        let folders = try Int64.fetchAll(db, sql: "SELECT luid FROM gone_folders").map(LUID.init)
        for folder in folders where try RemoteFileTable.find(folder, in: db) == nil {
            for luid in try RemoteFileTable.descendants(of: folder, in: db) {
                try drop(luid)
                effect.removed.append(luid)
            }
        }
        if !folders.isEmpty { try db.execute(sql: "DELETE FROM gone_folders") }
        guard !state.isLinked else { return }
        for luid in try RemoteFileTable.untold(since: state.link, in: db) {
            try drop(luid)
            effect.forgotten.append(luid)
        }
        try ThinnedFolderTable.removeAll(in: db)
        state.isLinked = true
    }

    private mutating func drop(_ luid: LUID) throws {
        guard let old = try RemoteFileTable.find(luid, in: db) else { return }
        try RemoteFileTable.remove(luid, in: db)
        note(old)
        try retire(luid, upTo: .max)
    }

    // MARK: - The view and the journal

    private mutating func note(_ file: ReplicaFile?) {
        guard let file else { return }
        effect.keys.insert(.file(file.luid))
        if let parent = file.parent { effect.keys.insert(.name(NameInFolder(parent: parent, name: file.name))) }
    }

    /// At the log's end: what the server did before, to something that is not here, has gone since.
    private mutating func retire(settled id: Int64) throws {
        guard let operation = try OperationTable.find(id, in: db), operation.state == .acknowledged,
            try RemoteFileTable.find(operation.subject, in: db) == nil
        else { return }
        try OperationTable.remove(id, in: db)
        effect.retired.append(operation)
    }

    /// Operations whose effect is here leave the journal in the transaction that brings it.
    private mutating func retire(_ luid: LUID, upTo version: Int64) throws {
        for operation in try OperationTable.of(luid, in: db) {
            guard operation.state == .acknowledged, operation.acknowledgedVersion ?? 0 <= version else { continue }
            try OperationTable.remove(operation.id, in: db)
            effect.retired.append(operation)
        }
    }
}
