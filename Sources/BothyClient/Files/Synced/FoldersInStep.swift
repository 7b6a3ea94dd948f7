import BothyContract

/// A folder of this device that is synced with one on the server.
public struct FolderInStep: Equatable, Sendable, Identifiable {
    public enum State: Equatable, Sendable {
        /// Nobody looks after it now, or it is looked at for the first time.
        case unwatched
        case inStep
        case working
        /// It continues by itself once this is over, or as the failure's remedy says.
        case waiting(ClientFailure)
        /// A guard holds it back until a person has looked.
        case held(GuardSaw)
        /// All but so many.
        case partly(failed: Int)
        /// Synced, except for so many things that wait for a person.
        case lacking(Int)
    }

    public var id: String
    /// Absolute.
    public var localPath: String
    public var remotePath: String
    public var state: State
    /// Folders in it that the system has no room to watch: they are looked at now and then.
    public var unwatchedFolders: Int
    /// When it was last in sync.
    public var inStepAt: Timestamp?
    /// Files of which both versions are kept until a person chooses.
    public var waitingConflicts: Int
    /// What becomes of files here that are deleted elsewhere.
    public var keepsWhatIsDeletedElsewhere: Bool
    public var conflicts: ConflictResolution
    /// What this device by itself leaves out of it.
    public var exclude: [LeavingRule]

    public init(
        id: String, localPath: String, remotePath: String, state: State, unwatchedFolders: Int = 0,
        inStepAt: Timestamp? = nil, waitingConflicts: Int = 0, keepsWhatIsDeletedElsewhere: Bool = false,
        conflicts: ConflictResolution = .fork,
        exclude: [LeavingRule] = []
    ) {
        self.id = id
        self.localPath = localPath
        self.remotePath = remotePath
        self.state = state
        self.unwatchedFolders = unwatchedFolders
        self.inStepAt = inStepAt
        self.waitingConflicts = waitingConflicts
        self.keepsWhatIsDeletedElsewhere = keepsWhatIsDeletedElsewhere
        self.conflicts = conflicts
        self.exclude = exclude
    }

    /// A guard holds it back.
    public var isHeld: Bool { if case .held = state { true } else { false } }
    /// Something in it waits for a person.
    public var asks: Bool {
        switch state {
        case .held, .lacking: true
        case .unwatched, .inStep, .working, .waiting, .partly: false
        }
    }
    /// It is not synced yet, and needs nobody for that: it is scanned, worked on, or tried again.
    public var isOnItsWay: Bool { state != .inStep && !asks }
}

/// What a guard saw where it holds a folder back.
public enum GuardSaw: Equatable, Sendable {
    public enum Side: String, Sendable { case here, onTheServer }

    /// How much goes on one side, files and folders.
    public struct Tally: Equatable, Sendable {
        public var planned: Int
        public var overwritten: Int
        public var emptied: Int
        public var lately: Int
        public var known: Int

        public init(planned: Int, overwritten: Int = 0, emptied: Int = 0, lately: Int, known: Int) {
            self.planned = planned
            self.overwritten = overwritten
            self.emptied = emptied
            self.lately = lately
            self.known = known
        }

        public var deleted: Int { planned - overwritten - emptied }
        /// What would be deleted, or have nothing in it any more.
        public var lost: Int { planned - overwritten }
    }

    /// - planned: files and folders that would go now, be deleted, emptied or overwritten.
    /// - overwritten: how many of these are files that changed on both sides, and would be overwritten.
    /// - emptied: how many of these are files that have nothing in them any more on the other side.
    /// - lately: how many went in the 24 hours before.
    /// - known: how many both sides have agreed on.
    /// - other: the same of the other side, where much would go as well.
    case manyDeletions(
        Side, planned: Int, overwritten: Int = 0, emptied: Int = 0, lately: Int, known: Int, other: Tally? = nil)
    case folderVanished, folderUnmounted, folderReplaced, folderEmptied
    case remoteFolderLost
    /// The person undid the link of the two.
    case tyingTakenBack

    /// Whether what was deleted or emptied here waits to be so on the server.
    public var isOfDeletionsHere: Bool {
        self == .folderEmptied || sides.contains { $0.side == .onTheServer && $0.tally.lost > 0 }
    }

    /// What would go on each side; empty where it is not about that.
    public var sides: [(side: Side, tally: Tally)] {
        guard
            case .manyDeletions(
                let side, let planned, let overwritten, let emptied, let lately, let known, let other) = self
        else {
            return []
        }
        let first = Tally(
            planned: planned, overwritten: overwritten, emptied: emptied, lately: lately, known: known)
        return [(side, first)] + (other.map { [(side == .here ? .onTheServer : .here, $0)] } ?? [])
    }
}

/// What was done at one time, and can be taken back as one.
public struct FolderPass: Equatable, Sendable, Identifiable {
    public var id: Int64
    /// Of ``FolderInStep``.
    public var folder: String
    public var at: Timestamp
    /// The first of them.
    public var deeds: [FolderDeed]
    public var hasMore: Bool
    public var isTakenBack: Bool
    /// It took another one back itself.
    public var takesBack: Bool

    public init(
        id: Int64, folder: String, at: Timestamp, deeds: [FolderDeed], hasMore: Bool = false, isTakenBack: Bool = false,
        takesBack: Bool = false
    ) {
        self.id = id
        self.folder = folder
        self.at = at
        self.deeds = deeds
        self.hasMore = hasMore
        self.isTakenBack = isTakenBack
        self.takesBack = takesBack
    }
}

/// A conflict that was decided in a synced folder, and can be taken back by itself.
public struct FolderDecision: Equatable, Sendable, Identifiable {
    /// The pass that decided it, and which of those that it decided this is: «23.1».
    public var id: String
    /// The file that was in conflict, by its absolute path here.
    public var path: String
    /// What tells best what became of it.
    public var deed: FolderDeed

    public init(id: String, path: String, deed: FolderDeed) {
        self.id = id
        self.path = path
        self.deed = deed
    }
}

/// Why something in a synced folder is as it is.
public struct PlaceExplanation: Equatable, Sendable {
    public enum State: String, CaseIterable, Sendable {
        case synced, pending, transferring, conflict, unsynced, ignored, failed, gone, moved, unknown, outside
    }

    /// What one of the three has.
    public struct Side: Equatable, Sendable {
        public var isFolder: Bool
        public var size: Int64
        public var modifiedAt: Timestamp

        public init(isFolder: Bool, size: Int64, modifiedAt: Timestamp) {
            self.isFolder = isFolder
            self.size = size
            self.modifiedAt = modifiedAt
        }
    }

    /// Absolute.
    public var path: String
    public var state: State
    public var cause: PlaceCause
    public var here: Side?
    public var onTheServer: Side?
    /// What both sides last agreed on.
    public var agreed: Side?
    /// The newest first.
    public var deeds: [FolderDeed]
    /// Without a connection, what is said of the server is what was known here last.
    public var isLastKnown: Bool

    public init(
        path: String, state: State, cause: PlaceCause, here: Side? = nil, onTheServer: Side? = nil,
        agreed: Side? = nil, deeds: [FolderDeed] = [], isLastKnown: Bool = false
    ) {
        self.path = path
        self.state = state
        self.cause = cause
        self.here = here
        self.onTheServer = onTheServer
        self.agreed = agreed
        self.deeds = deeds
        self.isLastKnown = isLastKnown
    }
}

/// The folders that this device syncs, as screens look at them.
///
/// Every method throws `ClientFailure`.
public protocol FoldersInStep: Sendable {
    /// Where a version of a file lies in one of them as the server has it. The reader compares its hash.
    ///
    /// - Returns: an absolute path; nil where none holds it so.
    func content(of file: String, revision: String) async throws -> String?

    /// By their paths here.
    func all() async throws -> [FolderInStep]

    /// The same now, and whenever it has changed, until the listener goes.
    func looks() -> AsyncThrowingStream<[FolderInStep], any Error>

    /// Confirms what a guard holds back, and syncs the folder.
    ///
    /// - Parameter saw: what the person has seen.
    /// - Throws: `notFound`; `changedMeanwhile` where the guard sees more, or something else, by now.
    func letPass(_ folder: FolderInStep.ID, _ saw: GuardSaw) async throws

    /// Fetches again what was deleted here and is on the server still, and syncs the folder.
    ///
    /// - Throws: `notFound`.
    func bringBack(_ folder: FolderInStep.ID) async throws

    /// Looks at both sides anew, where something that nobody told of may be otherwise: a disk that was mounted again.
    ///
    /// - Throws: `notFound`.
    func lookAgain(_ folder: FolderInStep.ID) async throws

    /// Stops syncing a folder. All files stay on both sides, and what lies in the folder's own trash where it is.
    ///
    /// - Throws: `notFound`.
    func untie(_ folder: FolderInStep.ID) async throws

    /// What was done last, the newest first.
    func passes(most: Int) async throws -> [FolderPass]

    /// Takes back what was done at one time.
    ///
    /// - Returns: how much of it could not be taken back, because it has changed since.
    /// - Throws: `notFound`.
    func takeBack(_ pass: FolderPass.ID) async throws -> Int

    /// What was decided about conflicts, and not taken back; the newest first.
    func decided(most: Int) async throws -> [FolderDecision]

    /// Takes back what was decided about one, and nothing else: it waits for the person again.
    ///
    /// - Returns: how much of it could not be taken back, because it has changed since.
    /// - Throws: `notFound`.
    func takeBack(decision: FolderDecision.ID) async throws -> Int

    /// - Parameter path: of a file or folder here; it need not be there any more.
    func why(_ path: String) async throws -> PlaceExplanation

    /// What linking a folder would do. Nothing is done, here or there.
    ///
    /// - Throws: `refused` for a folder that must not be linked, such as the person's whole home, with the reason; `invalidName`.
    func look(at wish: FolderToTie) async throws -> TyingLook

    /// Links a folder as it was looked at, and keeps it in sync from now on.
    ///
    /// - Parameter plan: of the look that the person has seen.
    /// - Throws: `changedMeanwhile` where something else would be done by now; what looking throws.
    func tie(_ wish: FolderToTie, as plan: String) async throws
}
