import BothyClient

extension HoldReason {
    /// What a person can type or do, as a sentence without its end, in which DIR stands for the bound folder.
    package var remedy: String {
        switch self {
        case .beingWritten: "nothing to do: it is synced when it no longer changes"
        case .inUse: "nothing to do: it is synced when that program has closed it"
        case .unreadable: "give yourself permission to read it (chmod u+rX)"
        case .notReadYet: "nothing to do: it will be read next"
        case .placeTaken: "move or rename what is in its place"
        case .nameNotText: "give it a UTF-8 name"
        case .symbolicLink: "to sync it, replace it with a copy of what it points to"
        case .specialFile: "nothing to do"
        case .mountPoint: "sync that disk separately, with its own “bothy sync”"
        case .unmounted: "mount it again; if it is no longer wanted, delete that folder"
        case .partName: "nothing to do; if it is yours and should be synced, rename it"
        case .nameReserved: "rename it: names that end in .bothy-part are reserved for unfinished downloads"
        case .otherBinding:
            "“bothy bindings” lists both; if it does not, delete its folder “.bothy” to sync it with this one"
        case .ownRemains: "nothing to do; delete it if you do not need what it keeps"
        case .nameInvalidThere: "rename it here"
        case .rulesLoosened:
            "“bothy sync DIR --confirm” accepts the change; to restore the old rules, save the file here with them"
        case .folderNotArrived: "nothing to do: it arrives with the next changes"
        case .remoteNameInvalid, .remoteNameReserved: "rename it on another device or in the browser"
        case .remoteListedTwice: "rename one of the two on another device or in the browser"
        case .nameNotHeldHere: "give it a shorter name on another device"
        case .guarded: "if this is intended, run “bothy sync DIR --confirm”; “bothy why DIR” says what to do if not"
        case .justDeleted: "nothing to do: it is deleted when no more deletions follow"
        case .folderHeld: "see what “bothy why” says about the folder"
        }
    }
}
