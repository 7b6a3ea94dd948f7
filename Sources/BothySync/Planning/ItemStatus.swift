import BothyClient

/// How one file or folder stands, with its cause and what a person can do about it.
package struct ItemStatus: Equatable, Sendable {
    /// What a person sees at a glance. The names are part of the JSON of commands and never change.
    package enum State: String, Codable, CaseIterable, Sendable {
        case synced, pending, transferring, conflict, unsynced, ignored, failed
        /// Both sides had it, and agree that it is not there any more, or that it is elsewhere.
        case gone, moved
        /// There is no such thing; or none that any folder here syncs.
        case unknown, outside
    }

    /// Everything that can be the case. `everyCause` lists them all.
    package enum Cause: Equatable, Sendable {
        case atRest
        /// An action is planned for it.
        case planned(Reason)
        /// It goes where a folder above it goes, for which an action is planned.
        case along(Place, Reason)
        /// Both sides changed it, and a person is to choose.
        case conflict
        case unsynced(UnsyncedReason)
        case leftOut(rule: LeavingRule, source: String)
        case held(HoldReason)
        /// The whole binding waits for a person.
        case guarded(Guard.Sighting)
        /// Both sides had it, and agree that it is gone.
        case gone(Reason)
        /// Both sides have it elsewhere by now.
        case moved(Place)
        /// It is Bothy's own.
        case own
        /// Neither side has it, and nothing was agreed on.
        case unknown
        /// The server has it, and no folder here is to.
        case onTheServer
        /// It is in no bound folder.
        case outside
    }

    package let cause: Cause

    package init(_ cause: Cause) { self.cause = cause }

    package var state: State {
        switch cause {
        case .atRest, .onTheServer: .synced
        case .gone: .gone
        case .moved: .moved
        case .planned, .along: .pending
        case .conflict: .conflict
        case .unsynced: .unsynced
        case .leftOut, .own: .ignored
        case .unknown: .unknown
        case .outside: .outside
        case .guarded: .pending
        case .held(let reason): Self.state(of: reason)
        }
    }

    private static func state(of reason: HoldReason) -> State {
        switch reason {
        case .beingWritten, .inUse, .notReadYet, .folderNotArrived, .guarded, .justDeleted, .folderHeld,
            .rulesLoosened:
            .pending
        case .symbolicLink, .specialFile, .mountPoint, .otherBinding, .ownRemains, .partName: .ignored
        case .unreadable, .placeTaken, .unmounted, .nameReserved, .nameNotText, .nameInvalidThere, .remoteNameInvalid,
            .remoteNameReserved,
            .remoteListedTwice, .nameNotHeldHere:
            .failed
        }
    }

    /// What a person can type or do, as a sentence without its end, in which DIR and FILE stand for the bound folder and
    /// for this; of what was moved, FILE stands for where it is now.
    package var remedy: String {
        switch cause {
        case .atRest: "nothing to do"
        case .planned, .along: "nothing to do: it will be synced next"
        case .conflict: "“bothy resolve FILE --keep mine|theirs|both|merge”"
        case .unsynced(let reason): reason.remedy
        case .leftOut: "change the rule to sync it"
        case .held(let reason): reason.remedy
        case .guarded(let sighting): sighting.remedy
        case .gone:
            "“bothy trash” and “bothy trash --local” list what can be restored; “bothy undo” undoes a pass"
        case .moved: "nothing to do; “bothy why FILE” explains more"
        case .own: "nothing to do: “bothy trash --local” lists its content"
        case .unknown: "check the name; “bothy ls” and “bothy trash” list what exists"
        case .onTheServer: "nothing to do: “bothy get” downloads it, “bothy pin” keeps it for offline use"
        case .outside: "“bothy sync DIR” syncs a folder; “bothy bindings” lists the synced folders"
        }
    }
}

extension UnsyncedReason {
    /// What a person can type or do, as a sentence without its end.
    package var remedy: String {
        switch self {
        case .deletedElsewhere, .rememberedAsDeleted, .takenBack:
            "“bothy resolve FILE --delete” deletes it here too, “bothy resolve FILE --send” uploads it again"
        case .holdsWhatIsNotSynced: "check what is in it, and delete it if nothing is needed"
        }
    }
}

extension Standing {
    package var cause: ItemStatus.Cause {
        switch self {
        case .held(let reason): .held(reason)
        case .conflict: .conflict
        case .unsynced(let reason): .unsynced(reason)
        case .ignored(let rule, let source): .leftOut(rule: rule, source: source)
        }
    }
}

extension Action {
    /// Where a person finds what this is about: its place on the disk, before and after a move alike.
    package var places: [Place] {
        switch step {
        case .record(let spot, _, _), .markUnsynced(_, let spot, _, _), .makeRemoteFolder(let spot, _, _),
            .upload(let spot, _, _, _), .untrashRemote(_, let spot), .makeLocalFolder(let spot, _),
            .download(let spot, _, _):
            [spot.place]
        case .moveLocal(_, _, let from, let spot, _), .moveRemote(_, let from, let spot, _): [from, spot.place]
        case .setAside(_, _, let from, let to): [from, to]
        case .forget(_, let place), .leaveOut(_, let place), .rebind(_, _, let place), .trashRemote(_, let place, _),
            .touchRemote(_, let place, _, _), .trashLocal(_, _, let place, _), .touchLocal(_, _, let place, _, _),
            .merge(let place, _, _, _):
            [place]
        }
    }
}
