import BothyContract
import NIOCore

/// Something that was done on this device and met something that the person had not seen.
public struct DeviceConflict: Equatable, Sendable, Identifiable {
    /// What met what.
    public enum Kind: Equatable, Sendable {
        /// Both sides changed a file's content.
        case edits
        /// What is made, renamed or moved here would have a name that something there has.
        case name
        /// Deleted here, and changed there by one who did not know.
        case deletion
        /// Anything else: it can be given up.
        case other
    }

    /// What one side has.
    public struct Side: Equatable, Sendable {
        public var name: String
        public var isFolder: Bool
        /// Bytes; nil where there is no content to speak of.
        public var size: Int64?
        /// The content's own time.
        public var modifiedAt: Timestamp?
        /// The name of the device that it comes from; nil where that is not known here.
        public var device: String?
        public var mimeType: String?
        /// What it is in lists; nil for what is in none.
        public var item: ItemID?

        public init(
            name: String, isFolder: Bool = false, size: Int64? = nil, modifiedAt: Timestamp? = nil,
            device: String? = nil, mimeType: String? = nil, item: ItemID? = nil
        ) {
            self.name = name
            self.isFolder = isFolder
            self.size = size
            self.modifiedAt = modifiedAt
            self.device = device
            self.mimeType = mimeType
            self.item = item
        }
    }

    /// Letters, digits and hyphens.
    public var id: String
    public var kind: Kind
    /// The names of the folders that it lies in, from the root's children down.
    public var above: [String]
    /// Where the file lies on this device, where it is one of a synced folder.
    public var localPath: String?
    public var mine: Side
    /// nil where nothing is there, or it is not known here.
    public var theirs: Side?
    /// When the person did it.
    public var since: Timestamp
    /// Why the server refused it.
    public var failure: ClientFailure?
    /// What makes sense of it.
    public var choices: [ConflictDecision.Choice]
    /// What a person who looks at this has seen of the other side. Opaque.
    public var seen: String
    /// Both sides have a content of which the beginnings can be had.
    public var hasTwoContents: Bool

    public init(
        id: String, kind: Kind, above: [String], localPath: String? = nil, mine: Side, theirs: Side?,
        since: Timestamp, failure: ClientFailure? = nil, choices: [ConflictDecision.Choice], seen: String,
        hasTwoContents: Bool
    ) {
        self.id = id
        self.kind = kind
        self.above = above
        self.localPath = localPath
        self.mine = mine
        self.theirs = theirs
        self.since = since
        self.failure = failure
        self.choices = choices
        self.seen = seen
        self.hasTwoContents = hasTwoContents
    }

    public var name: String { theirs?.name ?? mine.name }
}

/// A decision about a conflict, as a screen tells it.
public struct DecidedConflict: Equatable, Sendable, Identifiable {
    /// The order in which they were made.
    public var id: Int64
    public var decidedAt: Timestamp
    /// By the policy that holds for it.
    public var isAutomatic: Bool
    public var choice: ConflictDecision.Choice
    public var kind: DeviceConflict.Kind
    public var name: String
    /// The folders above it, from the root's children down, as it lay then.
    public var above: [String]
    /// The name under which what was made here stands beside.
    public var beside: String?
    /// When it was taken back; nil while it holds.
    public var undoneAt: Timestamp?

    public init(
        id: Int64, decidedAt: Timestamp, isAutomatic: Bool, choice: ConflictDecision.Choice,
        kind: DeviceConflict.Kind, name: String, above: [String], beside: String? = nil, undoneAt: Timestamp? = nil
    ) {
        self.id = id
        self.decidedAt = decidedAt
        self.isAutomatic = isAutomatic
        self.choice = choice
        self.kind = kind
        self.name = name
        self.above = above
        self.beside = beside
        self.undoneAt = undoneAt
    }
}

/// One of the two sides of a conflict.
public enum ConflictSide: String, CaseIterable, Sendable {
    case mine, theirs
}

/// What waits for a person to decide, and what was decided.
public struct ConflictsLook: Equatable, Sendable {
    public var waiting: [DeviceConflict]
    public var decided: [DecidedConflict]

    public init(waiting: [DeviceConflict], decided: [DecidedConflict]) {
        self.waiting = waiting
        self.decided = decided
    }
}

/// What waits for a person to decide, as screens look at it.
public protocol DeviceConflicts: ConflictsOfOneKind {
    /// All of it now, and whenever it has changed, until the listener goes.
    ///
    /// - Parameter most: decisions that are told.
    func looks(decided most: Int) -> AsyncThrowingStream<ConflictsLook, any Error>

    /// What becomes of what meets something else, where its folder says nothing of it.
    func policy() async throws -> ConflictResolution

    /// - Parameter policy: for what meets something else from now on.
    func set(_ policy: ConflictResolution) async throws
}

/// What waits for a person to decide, of what one part of this device does.
///
/// Every method throws `ClientFailure`.
public protocol ConflictsOfOneKind: Sendable {
    /// In the order in which they were done.
    func waiting() async throws -> [DeviceConflict]

    /// How many there are; cheaper than to look at them.
    func count() async throws -> Int

    /// - Throws: `notFound` for what was decided meanwhile.
    func conflict(_ id: DeviceConflict.ID) async throws -> DeviceConflict

    /// The beginning of one side's content.
    ///
    /// - Throws: `offline` for what is not at hand, `notFound`.
    func beginning(of side: ConflictSide, _ id: DeviceConflict.ID, most bytes: Int) async throws -> [UInt8]

    /// What was made here, to be opened.
    func content(ofMine id: DeviceConflict.ID) async throws -> AsyncThrowingStream<ByteBuffer, any Error>

    /// Decides.
    ///
    /// - Parameter seen: what the person had seen of the other side.
    /// - Throws: `changedMeanwhile` where that is another by now; `refused` for a choice that cannot be made of it.
    func resolve(_ id: DeviceConflict.ID, _ choice: ConflictDecision.Choice, seen: String) async throws

    /// What was decided here, the newest first.
    func decided(most: Int) async throws -> [DecidedConflict]

    /// Opens it again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `refused`, `offline`, each in words.
    func takeBack(_ id: DecidedConflict.ID) async throws
}
