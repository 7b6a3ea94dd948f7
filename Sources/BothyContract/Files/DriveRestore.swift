/// `POST /v1/restore`: puts a folder, a file or everything back as it stood at a moment.
public struct RestoreRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id acts once.
    public var requestId: String?
    /// The moment; this, or `cursor`, or `planId`.
    public var at: Timestamp?
    /// A place in the change log, for a moment to the very change: the `before` of a restore undoes it.
    public var cursor: String?
    /// The folder or file; everything where absent.
    public var fileId: String?
    /// Lists what would change, and changes nothing.
    public var dryRun: Bool?
    /// Carries a dry run out: exactly what it listed, or nothing.
    public var planId: String?

    public init(
        requestId: String?, at: Timestamp? = nil, cursor: String? = nil, fileId: String? = nil, dryRun: Bool? = nil,
        planId: String? = nil
    ) {
        self.requestId = requestId
        self.at = at
        self.cursor = cursor
        self.fileId = fileId
        self.dryRun = dryRun
        self.planId = planId
    }
}

/// A restore to a moment: a plan, or what is becoming of it.
public struct DriveRestore: Codable, Equatable, Sendable, Identifiable {
    public enum State: String, Codable, CaseIterable, Sendable {
        /// The server is still looking at what changed.
        case planning
        /// A dry run: nothing has changed, and nothing will before it is carried out.
        case planned
        case running
        case finished
    }

    /// Also the `planId` that carries a dry run out.
    public var restoreId: String
    /// The folder or file that goes back; the root's for everything.
    public var fileId: String
    /// The moment that it goes back to.
    public var at: Timestamp
    /// The moment that was asked for, where not every version from then is kept: `at` is the last one before it of which all are.
    public var askedAt: Timestamp?
    /// The place of the last change that had happened at the moment.
    public var cursor: String
    public var state: OpenWord<State>
    public var counts: RestoreCounts
    /// The place just before its first change: restoring to it undoes the restore.
    public var before: String?
    /// The place of its last change.
    public var after: String?
    /// When it was asked for.
    public var createdAt: Timestamp

    public var id: String { restoreId }

    public init(
        restoreId: String, fileId: String, at: Timestamp, askedAt: Timestamp? = nil, cursor: String, state: State,
        counts: RestoreCounts, before: String? = nil, after: String? = nil, createdAt: Timestamp
    ) {
        self.restoreId = restoreId
        self.fileId = fileId
        self.at = at
        self.askedAt = askedAt
        self.cursor = cursor
        self.state = OpenWord(state)
        self.counts = counts
        self.before = before
        self.after = after
        self.createdAt = createdAt
    }
}

/// How many files and folders a restore is about.
public struct RestoreCounts: Codable, Equatable, Sendable {
    /// Get back their content, name, place or life.
    public var putBack: Int
    /// Were not there then, and go to the trash.
    public var trashed: Int
    /// Folders that were deleted for good, and are made anew for what lay in them.
    public var recreated: Int
    /// Deleted for good since: they cannot come back.
    public var lost: Int
    /// Changes that are made already.
    public var done: Int
    /// Left as they are: they changed while the restore ran.
    public var skipped: Int

    public init(
        putBack: Int = 0, trashed: Int = 0, recreated: Int = 0, lost: Int = 0, done: Int = 0, skipped: Int = 0
    ) {
        self.putBack = putBack
        self.trashed = trashed
        self.recreated = recreated
        self.lost = lost
        self.done = done
        self.skipped = skipped
    }
}

/// What a restore does to one file or folder.
public struct RestoreChange: Codable, Equatable, Sendable, Identifiable {
    public enum Action: String, Codable, CaseIterable, Sendable {
        case putBack, trash, recreate, lost
    }

    /// What of it comes back.
    public enum Aspect: String, Codable, CaseIterable, Sendable {
        case content, name, folder, untrashed, executable
    }

    public enum Outcome: String, Codable, CaseIterable, Sendable {
        case done
        /// Somebody changed or deleted it while the restore ran: theirs stays.
        case skipped
    }

    public var fileId: String
    public var isFolder: Bool
    public var action: OpenWord<Action>
    /// In the order that ``Aspect`` has.
    public var aspects: [OpenWord<Aspect>]
    /// Where it is, from the root; absent for what is deleted for good.
    public var path: String?
    /// Where it was, from the root; absent for what was not there.
    public var pastPath: String?
    /// Whose content comes back; absent where the content stays, or was empty.
    public var revisionId: String?
    /// When it was deleted for good.
    public var lostAt: Timestamp?
    /// Absent until the restore has come to it.
    public var outcome: OpenWord<Outcome>?

    public var id: String { fileId }

    public init(
        fileId: String, isFolder: Bool, action: Action, aspects: [Aspect] = [], path: String? = nil,
        pastPath: String? = nil, revisionId: String? = nil, lostAt: Timestamp? = nil, outcome: Outcome? = nil
    ) {
        self.fileId = fileId
        self.isFolder = isFolder
        self.action = OpenWord(action)
        self.aspects = aspects.map { OpenWord($0) }
        self.path = path
        self.pastPath = pastPath
        self.revisionId = revisionId
        self.lostAt = lostAt
        self.outcome = outcome.map { OpenWord($0) }
    }
}

/// A page of `GET /v1/restore/{id}/changes`.
public struct GetRestoreChangesResponse: Codable, Equatable, Sendable {
    /// Folders before what lies in them; what goes to the trash, then what is lost, last.
    public var changes: [RestoreChange]
    public var pagination: PaginationMetadata

    public init(changes: [RestoreChange], pagination: PaginationMetadata) {
        self.changes = changes
        self.pagination = pagination
    }
}
