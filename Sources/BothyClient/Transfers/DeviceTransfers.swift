import BothyContract

/// Something that goes between this device and the server, or waits to: a transfer, or a change that a person made here.
public struct DeviceTransfer: Equatable, Sendable, Identifiable {
    /// What is done.
    public enum Deed: Equatable, Sendable {
        case upload, newVersion, download
        case createFolder, move, trash, restore
        case rename(to: String)
        case star(Bool)
        case hide(Bool)
    }

    /// What holds back all automatic work on this device.
    public enum Hold: String, CaseIterable, Sendable {
        /// The person paused it.
        case pause
        /// It runs on its battery, and is to rest then.
        case battery
        /// Its network is metered, and it is to rest then.
        case metered
    }

    /// How far it is.
    public enum State: Equatable, Sendable {
        /// For its turn, or for what it depends on.
        case waiting
        case preparing, moving, checking
        case paused(PauseReason)
        /// It continues by itself once the device does.
        case held(Hold)
        /// It waits for a person: to be tried again, or given up.
        case failed
        /// It met something that the person had not seen: see ``DeviceConflicts``.
        case conflict
        case done, canceled
    }

    /// Of a transfer its id, of a change its number in the journal behind a `c`. Letters, digits and hyphens.
    public var id: String
    /// The file or folder that it is about, where it is one of the account's already.
    public var item: ItemID?
    public var deed: Deed
    /// The file's name on the server, as it is kept: a screen makes it safe to show.
    public var name: String
    /// The names of the folders that it lies in on the server, from the root's children down; nil where that is not known here.
    public var above: [String]?
    /// The source of an upload, the destination of a download; nil for what lies in the home's own folders.
    public var localPath: String?
    public var state: State
    /// Bytes that are over there (or here); they never run backwards.
    public var bytesDone: Int64
    /// Bytes that were handed to the connection, and are not known to be over there yet; as far as this process knows.
    public var bytesOnTheWay: Int64
    /// nil until the size is known, and for what moves no bytes.
    public var bytesTotal: Int64?
    /// Why it failed, or waits.
    public var failure: ClientFailure?
    /// When it is tried again by itself, where that is later than now.
    public var nextAttemptAt: Timestamp?
    /// When the person did it.
    public var since: Timestamp
    /// When it last got further.
    public var updatedAt: Timestamp
    /// It is a change in the journal, and is sent in its order.
    public var isChange: Bool

    public init(
        id: String, item: ItemID? = nil, deed: Deed, name: String, above: [String]? = nil, localPath: String? = nil,
        state: State,
        bytesDone: Int64 = 0, bytesOnTheWay: Int64 = 0, bytesTotal: Int64? = nil, failure: ClientFailure? = nil,
        nextAttemptAt: Timestamp? = nil, since: Timestamp, updatedAt: Timestamp, isChange: Bool = false
    ) {
        self.id = id
        self.item = item
        self.deed = deed
        self.name = name
        self.above = above
        self.localPath = localPath
        self.state = state
        self.bytesDone = bytesDone
        self.bytesOnTheWay = bytesOnTheWay
        self.bytesTotal = bytesTotal
        self.failure = failure
        self.nextAttemptAt = nextAttemptAt
        self.since = since
        self.updatedAt = updatedAt
        self.isChange = isChange
    }

    public var isOver: Bool { state == .done || state == .canceled }

    /// How far it is, as a person sees it.
    public var bytesShown: Int64 { min(bytesDone + bytesOnTheWay, bytesTotal ?? .max) }

    /// Nothing happens before a person does something about it.
    public var asks: Bool {
        switch state {
        case .failed, .conflict, .paused(.signInNeeded): true
        default: false
        }
    }
}

/// What a person can do about a transfer.
public enum TransferRemedy: String, CaseIterable, Sendable {
    case pause, resume, retry
    /// From the first byte: what was moved so far is given up.
    case startOver = "start-over"
    /// For good. Of a change that was never sent, content that is nowhere else is kept for 30 days.
    case cancel
    /// On the screen of conflicts.
    case decide
}

/// Content that is nowhere but on this device.
public struct UnsentCopy: Equatable, Sendable {
    /// The file's name, as it is kept: a screen makes it safe to show.
    public var name: String
    /// The file is on the server, except for what was changed here.
    public var isVersion: Bool

    public init(name: String, isVersion: Bool = false) {
        self.name = name
        self.isVersion = isVersion
    }
}

extension DeviceTransfer {
    /// What can be done about it now. Pure, so that every screen offers the same.
    ///
    /// What waits in the journal is not held one by one: it would hold all that was done after it.
    public var remedies: [TransferRemedy] {
        switch state {
        case .waiting, .preparing, .moving, .checking: isChange ? [.cancel] : [.pause, .cancel]
        case .paused(.user), .paused(.stopped): isChange ? [.retry, .cancel] : [.resume, .cancel]
        case .paused(.offline), .paused(.serverBusy), .paused(.tooManyUploads):
            isChange ? [.retry, .cancel] : [.pause, .cancel]
        case .held: isChange ? [.cancel] : [.resume, .cancel]
        case .paused(.signInNeeded): isChange ? [.cancel] : [.resume, .cancel]
        case .failed: isChange ? [.retry, .cancel] : [.retry, .startOver, .cancel]
        case .conflict: [.decide]
        case .done, .canceled: []
        }
    }
}

/// Everything that moves or waits, at one moment.
public struct TransfersLook: Equatable, Sendable {
    /// Those that ask for somebody first, then what moves, what waits, and what is over, the newest first.
    public var items: [DeviceTransfer]
    /// How many have not ended, those that are not among `items` too.
    public var open: Int
    /// Of those, how many wait for a person; without what waits to be decided: see ``DeviceConflicts``.
    public var asking: Int
    /// How many that are over could be cleared away; 0 where no item was asked for.
    public var over: Int
    /// What waits to be sent besides and is no transfer: posts, comments, likes and what else is done in the feed.
    public var others: FeedActions
    /// The same that was refused: it is not sent until a person decides.
    public var refused: FeedActions

    public init(
        items: [DeviceTransfer], open: Int, asking: Int, over: Int, others: FeedActions = FeedActions(),
        refused: FeedActions = FeedActions()
    ) {
        self.items = items
        self.open = open
        self.asking = asking
        self.over = over
        self.others = others
        self.refused = refused
    }
}

/// What goes between a device and its server, as screens look at it.
///
/// Every method throws `ClientFailure`.
public protocol DeviceTransfers: Sendable {
    /// - Parameter most: items that are told; of those that are over, fewer.
    func look(most: Int) async throws -> TransfersLook

    /// The same now, and whenever it has changed, until the listener goes.
    func looks(most: Int) -> AsyncThrowingStream<TransfersLook, any Error>

    /// - Throws: `transferNotFound` for what is not there any more; `refused` for what cannot be done about it now.
    func act(_ remedy: TransferRemedy, on id: DeviceTransfer.ID) async throws

    /// The only copies that would be given up with it: none for a transfer, whose source stays where it is, nor for what is over.
    func unsentCopies(givenUpWith id: DeviceTransfer.ID) async throws -> [UnsentCopy]

    /// The same to all that it can be done about.
    ///
    /// - Returns: how many there were.
    func actOnAll(_ remedy: TransferRemedy) async throws -> Int

    /// Forgets what is over. The files stay.
    func clear() async throws
}
