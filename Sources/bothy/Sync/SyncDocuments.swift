import BothyClient
import BothyContract
import BothySync

/// One step of folder sync, done, tried or planned.
struct SyncEventDocument: Encodable {
    var event: String
    var path: String
    var from: String?
    var reason: String
    var words: String
    var fileId: String?
    /// Its name in the local trash.
    var trashed: String?
    var pass: Int64?
    var at: Timestamp?
    var error: ClientFailure?
    /// Of what is planned: a guard holds it back.
    var held: Bool?
    /// Of a conflict that was decided: what takes it back.
    var number: String?
    /// What failed alike before, try by try, the newest first.
    var earlier: [Try]?

    struct Try: Encodable {
        var pass: Int64
        var at: Timestamp
        /// Where it is another in anything.
        var error: ClientFailure?
    }

    init(_ repeated: RepeatedDecision) {
        let last = repeated.decision
        self.init(last)
        guard !repeated.earlier.isEmpty else { return }
        earlier = repeated.earlier.map { before in
            let failure = before.trace.failure
            return Try(pass: before.passId, at: before.at, error: failure == last.trace.failure ? nil : failure)
        }
    }

    init(_ decision: Decision) {
        self.init(planned: decision.action, movedFrom: decision.trace.from)
        words = decision.words
        if decision.trace.couldNotMerge == true { event = "not_merged" }
        if decision.trace.reversal != nil {
            event = "taken_back"
            name(decision.places)
        }
        fileId = decision.trace.remoteId
        trashed = decision.trace.keep
        pass = decision.passId
        at = decision.at
        error = decision.trace.failure
    }

    /// - Parameters:
    ///   - isHeld: a guard holds it back.
    ///   - place: where both sides last agreed that it is.
    init(planned action: Action, isHeld: Bool = false, movedFrom place: Place?) {
        held = isHeld ? true : nil
        event = action.step.event
        path = ""
        reason = action.reason.rawValue
        words = action.words(movedFrom: place)
        fileId = action.step.remoteId
        name(action.step.places(movedFrom: place))
    }

    /// - Parameter places: where it is; then, of a move, where it was.
    private mutating func name(_ places: [Place]) {
        path = places[0].text
        from = places.dropFirst().first { $0 != places[0] }?.text
    }
}

struct SyncPlanDocument: Encodable {
    var plan: String
    var actions: Int
    /// It is carried out with `--confirm` only.
    var held: Bool?
    var waiting: [SyncWaitingItem]

    init(plan id: String, _ plan: Plan, isHeld: Bool, in folder: Binding) {
        self.plan = id
        actions = plan.actions.count
        held = isHeld ? true : nil
        waiting = SyncWaitingItem.all(of: plan, in: folder)
    }
}

/// What is not synced, or left out, and why.
struct SyncWaitingItem: Encodable {
    var path: String
    var state: String
    var words: String

    static func all(of plan: Plan, in folder: Binding) -> [Self] {
        plan.standing.sorted { $0.key < $1.key }.map {
            let remedy = plan.remedy(of: $0.value.cause, at: $0.key, in: folder)
            return Self(path: $0.key.text, state: $0.value.state, words: "\($0.value.words); \(remedy)")
        }
    }
}

struct SyncSummaryDocument: Encodable {
    var pass: Int64?
    var done: Int
    var failed: Int
    /// What stopped it, in words.
    var held: String?
    var waiting: [SyncWaitingItem]

    init(_ report: PassReport, in folder: Binding) {
        pass = report.passId
        done = report.countOfDeeds
        failed = report.failed.count
        held = report.plan.sighting.map(SyncWords.words)
        waiting = SyncWaitingItem.all(of: report.plan, in: folder)
    }
}

extension Standing {
    /// A stable word.
    var state: String {
        switch self {
        case .held: "held"
        case .conflict: "conflict"
        case .unsynced: "unsynced"
        case .ignored: "ignored"
        }
    }
}

extension Step {
    /// A stable word.
    var event: String {
        switch self {
        case .record: "agreed"
        case .forget: "forgotten"
        case .leaveOut: "left_out"
        case .rebind: "agreed_anew"
        case .markUnsynced: "unsynced"
        case .makeRemoteFolder: "folder_made_there"
        case .upload: "sent"
        case .moveRemote: "moved_there"
        case .untrashRemote: "untrashed_there"
        case .trashRemote: "trashed_there"
        case .touchRemote: "touched_there"
        case .makeLocalFolder: "folder_made_here"
        case .download: "fetched"
        case .moveLocal: "moved_here"
        case .setAside: "set_aside"
        case .trashLocal: "trashed_here"
        case .touchLocal: "touched_here"
        case .merge: "merged"
        }
    }
}
