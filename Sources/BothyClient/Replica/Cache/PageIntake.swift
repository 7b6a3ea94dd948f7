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
    /// Things that another device has changed, as far as the log tells of it: not while everything is told anew.
    package var arrived = [LUID]()
    /// Operations that know more now: what they were made from has become a revision of the server's.
    package var changed = [JournalOperation]()
    package var hasMore = false
}

/// Takes a page of the server's changes into the cache: the only thing that writes it. A page is taken whole, with its
/// cursor, in one transaction, or not at all.
struct PageIntake {
    private let db: Database
    private var effect = PageEffect()
    /// What the server had done before a link is judged at the link's end: its versions may be those of another past.
    private let judgesLater: Bool
    /// Things of which the page tells something that was not done from here alone.
    private var foreign = [LUID]()
    private let deviceId: String?
    /// Whether anything waits to be done: where nothing does, none of a page's files is asked about that.
    private let hasOperations: Bool
    /// Folders that files of the page lie in.
    private var parents = [String: LUID]()

    private init(_ db: Database, judgesLater: Bool = false, deviceId: String? = nil) throws {
        self.db = db
        self.judgesLater = judgesLater
        self.deviceId = deviceId
        hasOperations = try !OperationTable.isEmpty(in: db)
    }

    /// - Parameters:
    ///   - cursor: where the page was asked from.
    ///   - owner: whose drive it is, and which device this is.
    ///   - settled: operations that the server had done before the page was asked for: at the log's end, what they are
    ///     about is in the cache, or gone.
    ///   - now: when it came.
    /// - Returns: nil when somebody else has moved the cursor meanwhile: then the page is nothing new.
    static func take(
        _ page: GetChangesResponse, after cursor: String?, of owner: DriveIdentity, settled: Set<Int64> = [],
        now: Timestamp, in db: Database
    ) throws -> PageEffect? {
        var state = try ReplicaStateTable.read(db)
        guard state.cursor == cursor else { return nil }
        var intake = try PageIntake(db, judgesLater: state.leftCursor != nil, deviceId: owner.deviceId)
        for change in page.changes where change.kind == .file { try intake.take(change, link: state.link) }
        try intake.seeOwn(after: cursor, to: page.cursor)
        if !state.isLinked {
            try intake.seeLinked(to: page.hasMore ? nil : page.cursor)
            intake.effect.arrived = []
        }
        state.accountId = owner.accountId
        state.cursor = page.cursor
        if !page.hasMore {
            try intake.finish(&state)
            if state.isPutBack(at: page.cursor) {
                try intake.askAgain(settled, of: page.cursor)
            } else {
                for id in settled { try intake.settle(id) }
            }
            state.leftCursor = nil
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
        var intake = try PageIntake(db)
        for file in files {
            try intake.take(Change(kind: .file, id: file.id, removed: false, file: file), link: state.link)
        }
        try ThinnedFolderTable.remove(folder, in: db)
        return intake.effect
    }

    /// Takes in single files of folders whose files were let go, which stay so.
    ///
    /// Not while a deletion waits: what is taken in before the log tells of it is nothing new when that does, and would pass for
    /// seen by the person who deletes the folder that it is in.
    ///
    /// - Parameter cursor: as in ``fill(_:with:asOf:in:)``.
    static func know(_ files: [File], asOf cursor: String?, in db: Database) throws -> PageEffect? {
        let state = try ReplicaStateTable.read(db)
        guard state.cursor == cursor, state.isLinked, try !OperationTable.all(in: db).contains(where: \.isDeletion)
        else { return nil }
        var intake = try PageIntake(db)
        for file in files {
            guard let parentId = file.parentId, let parent = try LuidTable.find(serverId: parentId, in: db),
                try ThinnedFolderTable.contains(parent, in: db)
            else { continue }
            try intake.take(Change(kind: .file, id: file.id, removed: false, file: file), link: state.link)
        }
        return intake.effect
    }

    private mutating func take(_ change: Change, link: Int64) throws {
        guard !change.removed, let file = change.file else { return try remove(serverId: change.id) }
        let parent = try file.parentId.map { try folder($0) }
        let (luid, isNew) = try claim(file, parent: parent)
        let new = ReplicaFile(file, luid: luid, parent: parent)
        let old = isNew ? nil : try RemoteFileTable.find(luid, in: db)
        // A page may come twice, and the first pages of a link tell what the log tells again: never back in time.
        if let old, old.version > new.version, try rowIsOfThisLink(luid, link) { return }
        if try !isOwn(new, before: old) { foreign.append(luid) }
        if let deviceId, let author = new.deviceId, author != deviceId, new.version > old?.version ?? 0 {
            effect.arrived.append(luid)
        }
        try RemoteFileTable.save(new, link: link, in: db)
        note(old)
        note(new)
        try retire(luid, upTo: new.version)
    }

    private func rowIsOfThisLink(_ luid: LUID, _ link: Int64) throws -> Bool {
        try Int64.fetchOne(db, sql: "SELECT link FROM remote_files WHERE luid = ?", arguments: [luid.value]) == link
    }

    // MARK: - Who it is

    private mutating func folder(_ serverId: String) throws -> LUID {
        if let known = parents[serverId] { return known }
        let luid = try LuidTable.ensure(serverId: serverId, in: db)
        parents[serverId] = luid
        return luid
    }

    /// The first server object that matches gets the LUID of what waits; the others get new ones.
    private mutating func claim(_ file: File, parent: LUID?) throws -> (luid: LUID, isNew: Bool) {
        if let known = try LuidTable.find(serverId: file.id, in: db) { return (known, false) }
        guard hasOperations, let waiting = try waiting(for: file, parent: parent) else {
            return (try LuidTable.add(serverId: file.id, in: db), true)
        }
        _ = try LuidTable.bind(waiting, to: file.id, in: db)
        effect.keys.insert(.file(waiting))
        // The operations that would make it are done, no matter by whom.
        for operation in try OperationTable.of(waiting, in: db) where operation.creates {
            var done = operation
            done.state = .acknowledged
            done.acknowledgedVersion = file.version
            effect.changed += try Acknowledgement.rebase(&done, onto: file, in: db)
            try OperationTable.save(done, in: db)
        }
        return (waiting, false)
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
        // What lies below is gone too, except for what the log, further on, says was moved out.
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

    /// At the log's end: what the server did before is here by now, or has gone since. Where the thing is here as it was
    /// before, the server has been put back to a backup.
    private mutating func settle(_ id: Int64) throws {
        guard let operation = try OperationTable.find(id, in: db), operation.state == .acknowledged else { return }
        let there = try RemoteFileTable.find(operation.subject, in: db)
        if let there, there.version < operation.acknowledgedVersion ?? 0 { return try askAgain(operation) }
        try retire(operation)
    }

    /// Operations whose effect is here leave the journal in the transaction that brings it.
    private mutating func retire(_ luid: LUID, upTo version: Int64) throws {
        guard hasOperations, !judgesLater else { return }
        for operation in try OperationTable.of(luid, in: db) {
            guard operation.state == .acknowledged, operation.acknowledgedVersion ?? 0 <= version else { continue }
            try retire(operation)
        }
    }

    private mutating func retire(_ operation: JournalOperation) throws {
        try OperationTable.remove(operation.id, in: db)
        effect.retired.append(operation)
    }
}

/// A server that was put back to a backup knows nothing of what it has done since.
extension PageIntake {
    /// At the end of the link: what it had done, and is not there, is asked of it again.
    ///
    /// - Parameter cursor: of its log as it is now.
    private mutating func askAgain(_ settled: Set<Int64>, of cursor: String) throws {
        let life = ChangeCursor(text: cursor).map { String($0.epoch, radix: 36) } ?? ""
        for operation in try OperationTable.all(in: db) {
            if operation.state == .acknowledged {
                guard settled.contains(operation.id) else { continue }
                if try isThere(operation) {
                    try retire(operation)
                    continue
                }
                try askAgain(operation)
            }
            // This device's transfers remember what they have sent, and would not send it again.
            if operation.content != nil, operation.sent, operation.state != .sending {
                try OperationTable.renew(operation.id, requestId: "\(operation.requestId)-r\(life)", in: db)
            }
        }
    }

    /// Whether there is nothing to be done: the thing is as it was made, or is gone, and cannot be changed.
    private func isThere(_ operation: JournalOperation) throws -> Bool {
        let there = try RemoteFileTable.find(operation.subject, in: db)
        if operation.creates { return there != nil }
        guard operation.content != nil else { return there == nil }
        return there != nil && there?.headRevisionId == operation.acknowledgedRevision
    }

    private mutating func askAgain(_ operation: JournalOperation) throws {
        var operation = operation
        if operation.creates { try LuidTable.release(operation.subject, in: db) }
        operation.state = .queued
        operation.acknowledgedVersion = nil
        operation.acknowledgedRevision = nil
        if case .newRevision(let content, nil) = operation.action {
            operation.action = .newRevision(content: content, base: SeenContent.unseen)
        }
        try OperationTable.save(operation, in: db)
        effect.changed.append(operation)
        effect.keys.insert(.file(operation.subject))
    }
}

/// A person who deletes a folder has seen what was in it as of a place in the log, and what came into it since from here.
extension PageIntake {
    /// Whether all that happened to a thing since it was known last was done from here.
    private func isOwn(_ new: ReplicaFile, before old: ReplicaFile?) throws -> Bool {
        let known = old?.version ?? 0
        guard new.version > known else { return true }
        guard hasOperations else { return false }
        let operations = try OperationTable.of(new.luid, in: db).filter { !$0.creates || $0.made(new) }
        var own = Set<Int64>()
        // One whose answer was lost. What a synced folder of this device has sent, the person here has not seen.
        if let deviceId, new.deviceId == deviceId,
            try operations.contains(where: \.sent) || cameAlong(new, before: old)
        {
            own.insert(new.version)
        }
        for operation in operations where operation.state == .acknowledged {
            guard let version = operation.acknowledgedVersion, version > known, version <= new.version,
                operation.acknowledgedRevision != SeenContent.unseen
            else { continue }
            own.insert(version)
        }
        return own.count == new.version - known
    }

    /// Whether a folder has come out of the trash with something in it that was taken back, or saved again, from here.
    private func cameAlong(_ new: ReplicaFile, before old: ReplicaFile?) throws -> Bool {
        guard old?.trashedAt != nil, new.trashedAt == nil else { return false }
        return try OperationTable.all(in: db).contains { operation in
            operation.sent && operation.scope.contains(new.luid)
                && (operation.action == .restore || operation.content != nil && !operation.creates)
        }
    }

    /// Deletions that wait, and had seen everything up to this page, have seen what the page tells too, unless somebody else
    /// did something in the folder.
    private func seeOwn(after cursor: String?, to next: String) throws {
        guard let cursor else { return }
        let deletions = try OperationTable.deletions(seen: .subtree(cursor: cursor), in: db)
        guard !deletions.isEmpty, let places = try foreignPlaces() else { return }
        for var operation in deletions where !places.contains(operation.subject) {
            operation.action = .trash(seen: .subtree(cursor: next))
            try OperationTable.save(operation, in: db)
        }
    }

    /// Deletions of folders that were made before anything was known of the drive go on only for as long as nobody else puts
    /// something into them: from the end of the link on, the log tells.
    ///
    /// - Parameter next: nil before the link's last page.
    private mutating func seeLinked(to next: String?) throws {
        let deletions = try OperationTable.deletions(seen: .anything, in: db)
        guard !deletions.isEmpty else { return }
        let places = try foreignPlaces()
        for var operation in deletions {
            guard try RemoteFileTable.find(operation.subject, in: db)?.isFolder == true else { continue }
            if places?.contains(operation.subject) ?? true {
                operation.action = .trash(seen: .unknown)
            } else if let next {
                operation.action = .trash(seen: .subtree(cursor: next))
            } else {
                continue
            }
            try OperationTable.save(operation, in: db)
            effect.changed.append(operation)
        }
    }

    /// The folders in which somebody else did something, also those into which what they did it in is moved from here; nil where it
    /// is not known yet in which.
    private func foreignPlaces() throws -> Set<LUID>? {
        let waiting = Dictionary(grouping: try OperationTable.all(in: db), by: \.subject)
        var (places, things) = (Set<LUID>(), foreign)
        while let thing = things.popLast() {
            guard thing != .root else { continue }
            var parents = waiting[thing, default: []].compactMap(\.destination)
            if let parent = try RemoteFileTable.find(thing, in: db)?.parent { parents.append(parent) }
            guard !parents.isEmpty else { return nil }
            things += parents.filter { places.insert($0).inserted }
        }
        return places
    }
}
