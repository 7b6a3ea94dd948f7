import BothyClient
import BothyContract

/// A pass: a batch of decisions that can be reversed as one.
package struct SyncPass: Equatable, Sendable, Identifiable {
    package let id: Int64
    package let bindingId: String
    package var startedAt: Timestamp
    /// nil while it goes on, or when it never came to its end.
    package var endedAt: Timestamp?
    /// The pass that this one reverses.
    package var undoes: Int64?
    /// Of that, the conflict that alone it takes back, by the decision that was the first about it; nil for all of the pass.
    package var undoesConflict: Int64?
    /// By what took all of it back.
    package var undoneBy: Int64?
    /// That pass goes on, was cut off, or could not take all of it back: then it can be gone on with.
    package var isUndoneInPart: Bool
    /// It takes another back, and was cut off, or something failed in it that may go well another time.
    package var isUnfinished: Bool

    package init(
        id: Int64, bindingId: String, startedAt: Timestamp, endedAt: Timestamp? = nil, undoes: Int64? = nil,
        undoesConflict: Int64? = nil, undoneBy: Int64? = nil, isUndoneInPart: Bool = false,
        isUnfinished: Bool = false
    ) {
        self.id = id
        self.bindingId = bindingId
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.undoes = undoes
        self.undoesConflict = undoesConflict
        self.undoneBy = undoneBy
        self.isUndoneInPart = isUndoneInPart
        self.isUnfinished = isUnfinished
    }
}

/// One action that was taken, or tried.
package struct Decision: Equatable, Sendable, Identifiable {
    /// 0 until it is written.
    package var id: Int64
    package var passId: Int64
    package var at: Timestamp
    package var action: Action
    private var kept: KeptTrace

    package var trace: Trace {
        get { kept.trace }
        set { kept = KeptTrace(newValue) }
    }

    /// Has a place of its own, since a trace is large, and a report has a decision for each file.
    private final class KeptTrace: Equatable, Sendable {
        let trace: Trace

        init(_ trace: Trace) { self.trace = trace }

        static func == (left: KeptTrace, right: KeptTrace) -> Bool { left.trace == right.trace }
    }

    /// What it came to, and what is needed to reverse it.
    package struct Trace: Codable, Equatable, Sendable {
        /// Why it was not done.
        package var failure: ClientFailure?
        /// Of a failure to take something back: nobody has changed that since, so it may go well another time.
        package var mayGoWell: Bool?
        /// What was agreed on before.
        package var before: SyncedFacts?
        /// Where both sides had it then, of what is moved on the server.
        package var from: Place?
        /// A merge that could not be made: both changed the same lines, or it is no text.
        package var couldNotMerge: Bool?
        /// It linked the two sides; false where it undid that.
        package var isLinking: Bool?
        /// Where it was on the server then.
        package var was: RemoteSpot?
        /// The file on the server that it made or changed.
        package var remoteId: String?
        /// The revision that it replaced on the server, where it put an older one in its place.
        package var replaced: RemoteFingerprint?
        /// Of a file, what it left here.
        package var content: ContentHash?
        /// Where in the local trash it put what it took away or replaced.
        package var keep: String?
        /// What it did, where it was part of taking a pass back; the action is the one that it reversed.
        package var reversal: Reversal?
        /// The decision that it reversed.
        package var reversed: Int64?
        /// See ``TakenStep/reopened``.
        package var reopened: Reopened?
        /// See ``TakenStep/decidesAgain``.
        package var decidesAgain: Reopened?
        /// See ``TakenStep/brought``.
        package var brought: [Brought]?

        package init(
            failure: ClientFailure? = nil, before: SyncedFacts? = nil, was: RemoteSpot? = nil, remoteId: String? = nil,
            keep: String? = nil, reversal: Reversal? = nil
        ) {
            self.failure = failure
            self.before = before
            self.was = was
            self.remoteId = remoteId
            self.keep = keep
            self.reversal = reversal
        }
    }

    package init(id: Int64 = 0, passId: Int64, at: Timestamp, action: Action, trace: Trace) {
        self.id = id
        self.passId = passId
        self.at = at
        self.action = action
        kept = KeptTrace(trace)
    }
}

extension Decision {
    /// What was done.
    package var act: FolderAct {
        if let reversal = trace.reversal { return reversal.act }
        if isFailedMerge { return FolderAct(.couldNotMerge, at: places[0].description) }
        return action.step.act(movedFrom: trace.from)
    }

    /// Whether it came to nothing, for both versions are as they were.
    var isFailedMerge: Bool { trace.reversal == nil && trace.couldNotMerge == true }

    /// Where it is about; of a move, where it went, then where it was.
    package var places: [Place] { trace.reversal?.places ?? action.step.places(movedFrom: trace.from) }

    /// Whether anything but what is written down changed.
    package var isBookkeeping: Bool { trace.reversal == nil && (action.step.isBookkeeping || isFailedMerge) }

    /// Whether it is told: what a rule leaves out from now on changes nothing, and a person wants to know.
    package var isTold: Bool { !isBookkeeping || action.reason == .leftOutNow || isFailedMerge }

    /// Whether it moved, took away or brought back a folder with all in it.
    var takesAlongWhatIsBelow: Bool {
        switch trace.reversal {
        case .moveThere?, .moveHere?, .trashThere?, .untrashThere?, .rejoinThere?, .exchangeHere?: return true
        case .setContentThere?, .touchThere?, .removeFolderHere?, .makeFolderHere?, .touchHere?: return false
        case nil: break
        }
        return action.step.takesAlongWhatIsBelow
    }
}
