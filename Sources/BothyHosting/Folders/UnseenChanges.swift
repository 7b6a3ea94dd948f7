import BothyClient
import BothyContract
import BothyServer

/// What others have changed in a drive since a page was shown, looked up beside the writer: of thousands of folders
/// that are deleted side by side each asks, and each adds a change of its own to what the next has to look over.
///
/// What was done in this browser is no news to the person at it.
actor UnseenChanges {
    private let services: ServerServices
    private let caller: Caller
    private var known: (mark: FolderMark, look: UnseenLook)?
    /// The look that is under way: a caller that comes meanwhile waits for it, and what it missed is found in their transaction.
    private var looking: (mark: FolderMark, task: Task<UnseenLook, any Error>)?

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func look(since mark: FolderMark) async throws -> UnseenLook {
        if let looking, looking.mark == mark { return try await looking.task.value }
        let before = known?.mark == mark ? known?.look : nil
        let task = Task { [services, caller] in
            try await services.database.read { db in
                try UnseenLook.taken(since: mark, after: before, by: caller, in: db)
            }
        }
        looking = (mark, task)
        defer { if looking?.task == task { looking = nil } }
        let look = try await task.value
        known = (mark, look)
        return look
    }
}

/// One look at what others have changed, as things stood at its end.
struct UnseenLook: Sendable {
    /// The last change that the person was told of.
    private let start: ChangeCursor
    /// The last change that was looked at.
    private var end: ChangeCursor
    /// Folders below which somebody else has changed something.
    private var folders = Set<String>()
    /// Nobody knows what has changed: the page is too old, or of another past, or so much has happened.
    private var isLost: Bool

    private init(start: ChangeCursor, isLost: Bool) {
        self.start = start
        end = start
        self.isLost = isLost
    }

    // MARK: - Looking

    /// - Parameter before: a look since the same moment, which this one resumes.
    fileprivate static func taken(
        since mark: FolderMark, after before: UnseenLook?, by caller: Caller, in db: any SQLConnection
    ) throws -> UnseenLook {
        let log = ChangeLog(db, drive: caller.driveId)
        var ancestry = Ancestry(db, drive: caller.driveId)
        var look: UnseenLook
        if let before, try before.stillHolds(log, &ancestry) {
            look = before
        } else {
            look = try first(since: mark, log)
        }
        guard !look.isLost else { return look }
        // Of more than may be looked at, one more.
        let others = try log.files(
            changedAfter: look.end.sequence, notBy: caller.deviceId, limit: FileLimits.maximumChangesToCheck + 1)
        look.end = try log.head()
        look.isLost = others.count > FileLimits.maximumChangesToCheck
        guard !look.isLost else { return look }
        for id in others {
            for folder in try ancestry.path(from: id).dropFirst() { look.folders.insert(folder) }
        }
        return look
    }

    private static func first(since mark: FolderMark, _ log: ChangeLog) throws -> UnseenLook {
        do {
            return UnseenLook(start: try log.validate(mark.text), isLost: false)
        } catch let problem as Problem where problem.code == .cursorExpired {
            return UnseenLook(start: try log.head(), isLost: true)
        }
    }

    /// Whether what was found lies where it lay: a folder that was moved since may have taken some of it along.
    private func stillHolds(_ log: ChangeLog, _ ancestry: inout Ancestry) throws -> Bool {
        for id in try log.files(changedAfter: end.sequence) {
            if let link = try ancestry.link(id), link.isFolder, !link.trashed { return false }
        }
        return true
    }

    // MARK: - Deleting

    /// Whether nothing was found for which it has to stay.
    func isClear(of id: ItemID) -> Bool { !isLost && !folders.contains(id.text) }

    /// - Throws: `subtree_changed` for what somebody else has changed since the person was told of it.
    func trash(_ id: ItemID, in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        let row = try FileTable(db, drive: stamp.driveId).require(id.text).row
        guard isClear(of: ItemID(row.id)), try row.isFolder || isSeen(row, in: db, stamp: stamp) else {
            throw Self.changed(row)
        }
        do {
            return try FileDeletion(id: row.id, permanent: false, asOf: row.isFolder ? end.text : nil)
                .perform(in: db, stamp: stamp)
        } catch let problem as Problem where [.subtreeChanged, .cursorExpired].contains(problem.code.known) {
            throw Self.changed(row)
        }
    }

    /// Whether a file's content is what it was, or was put there by the person who deletes it. Its name and star are no content.
    private func isSeen(_ row: FileRow, in db: any SQLConnection, stamp: ChangeStamp) throws -> Bool {
        guard let head = row.headRevisionId else { return true }
        let revisions = RevisionTable(db, drive: stamp.driveId)
        if try revisions.head(of: row.id, after: start.sequence)?.id == head { return true }
        return try revisions.find(head)?.deviceId == stamp.deviceId
    }

    private static func changed(_ row: FileRow) -> Problem {
        let what = row.isFolder ? "Something in “\(row.name)”" : "“\(row.name)”"
        return Problem(.subtreeChanged, "\(what) has changed since it was shown. Check it again, then delete it.")
    }
}
