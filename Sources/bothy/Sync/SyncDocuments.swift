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

    init(_ decision: Decision) {
        self.init(planned: decision.action)
        if decision.trace.reversal != nil {
            event = "taken_back"
            path = decision.places[0].text
            from = decision.places.count > 1 ? decision.places[1].text : nil
            words = decision.words
        }
        fileId = decision.trace.remoteId
        trashed = decision.trace.keep
        pass = decision.passId
        at = decision.at
        error = decision.trace.failure
    }

    init(planned action: Action) {
        let places = action.step.places
        event = action.step.event
        path = places[0].text
        from = places.count > 1 ? places[1].text : nil
        reason = action.reason.rawValue
        words = "\(action.step.words): \(action.reason.words)"
        fileId = action.step.remoteId
    }
}

struct SyncPlanDocument: Encodable {
    /// Nil for a folder that is not tied.
    var plan: String?
    var actions: Int
}

struct SyncSummaryDocument: Encodable {
    struct Item: Encodable {
        var path: String
        var state: String
        var words: String
    }

    var pass: Int64?
    var done: Int
    var failed: Int
    /// What stopped it, in words.
    var held: String?
    var waiting: [Item]

    init(_ report: PassReport) {
        pass = report.passId
        done = report.deeds.count
        failed = report.failed.count
        held = report.plan.sighting.map(SyncWords.words)
        waiting = report.plan.standing.sorted { $0.key < $1.key }.map {
            Item(path: $0.key.text, state: $0.value.state, words: SyncWords.words($0.value))
        }
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
        case .rebind: "agreed_anew"
        case .markUnsynced: "unsynced"
        case .makeRemoteFolder: "folder_made_there"
        case .upload: "sent"
        case .moveRemote: "moved_there"
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
