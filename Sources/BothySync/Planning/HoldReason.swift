import BothyClient

extension HoldReason {
    /// What a person can type or do, as a sentence without its end, in which DIR stands for the bound folder.
    package var remedy: String {
        switch self {
        case .beingWritten: "nothing to do: it is synced as soon as it is quiet"
        case .inUse: "nothing to do: it goes on when that program has closed it"
        case .unreadable: "give yourself the right to read it (chmod u+rX)"
        case .notReadYet: "nothing to do: it is read next"
        case .placeTaken: "move or rename what stands in its place"
        case .nameNotText: "give it a name in UTF-8"
        case .symbolicLink: "put a copy of what it points to in its place, to have it synced"
        case .specialFile: "nothing to do"
        case .mountPoint: "sync that disk by itself, with a “bothy sync” of its own"
        case .unmounted: "mount it again; where it is not wanted any more, delete that folder"
        case .partName: "nothing to do: give it another name if it is yours and should be synced"
        case .nameReserved: "give it another name: what ends in .bothy-part is taken for a download under way"
        case .otherBinding:
            "“bothy bindings” shows both; where it does not, delete its folder “.bothy” to have it synced with this one"
        case .ownRemains: "nothing to do: delete it where you do not want what it keeps"
        case .nameInvalidThere: "rename it here"
        case .rulesLoosened:
            "“bothy sync DIR --confirm” agrees; saving the file here with the old rules brings them back"
        case .folderNotArrived: "nothing to do: it comes with the next changes"
        case .remoteNameInvalid, .remoteNameReserved: "rename it on another device or in the browser"
        case .remoteListedTwice: "rename one of the two on another device or in the browser"
        case .nameNotHeldHere: "give it a shorter name on another device"
        case .guarded: "if it was meant, say “bothy sync DIR --confirm”; “bothy why DIR” says what to do if not"
        case .justDeleted: "nothing to do: it goes as soon as nothing more is deleted"
        case .folderHeld: "see what “bothy why” says of the folder"
        }
    }
}
