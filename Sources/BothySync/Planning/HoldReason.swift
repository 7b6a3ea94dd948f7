/// Why something is left as it is for now.
///
/// The names are written into devices' databases and never change.
package enum HoldReason: String, Codable, CaseIterable, Sendable {
    // MARK: On the disk
    case beingWritten, unreadable, notReadYet, placeTaken, nameNotText, symbolicLink, specialFile, mountPoint,
        otherBinding
    case nameInvalidThere, rulesLoosened
    // MARK: On the server
    case folderNotArrived, remoteNameInvalid, remoteListedTwice, nameNotHeldHere
    // MARK: Both
    case guarded, justDeleted, folderHeld

    /// For a person, as a sentence without its end.
    package var words: String {
        switch self {
        case .beingWritten: "it is still being written"
        case .unreadable: "it may not be read here"
        case .notReadYet: "it has not been read yet"
        case .placeTaken: "something that is not synced stands in its place here"
        case .nameNotText: "its name is not text"
        case .symbolicLink: "it is a symbolic link, and those are not synced"
        case .specialFile: "it is a socket, a pipe or a device, and those are not synced"
        case .mountPoint: "another disk is mounted there"
        case .otherBinding: "that folder is synced by itself"
        case .nameInvalidThere: "the server takes no such name"
        case .rulesLoosened:
            "another device took rules out of it; what they leave out stays left out here until you agree"
        case .folderNotArrived: "its folder has not arrived from the server"
        case .remoteNameInvalid: "the server gave it a name that no disk should hold"
        case .remoteListedTwice: "the server listed it twice"
        case .nameNotHeldHere: "this disk can hold neither its name nor one like it"
        case .guarded: "too much would go at once"
        case .justDeleted: "it was deleted here a moment ago, and more may follow"
        case .folderHeld: "the folder that it is in is held back"
        }
    }

    /// What a person can do, as a sentence without its end, in which DIR stands for the bound folder.
    package var remedy: String {
        switch self {
        case .beingWritten: "nothing to do: it is synced as soon as it is quiet"
        case .unreadable: "give yourself the right to read it (chmod u+r)"
        case .notReadYet: "nothing to do: it is read next"
        case .placeTaken: "move or rename what stands in its place"
        case .nameNotText: "give it a name in UTF-8"
        case .symbolicLink: "put a copy of what it points to in its place, to have it synced"
        case .specialFile: "nothing to do"
        case .mountPoint: "sync that disk by itself, with a “bothy sync” of its own"
        case .otherBinding: "nothing to do: “bothy bindings” shows both"
        case .nameInvalidThere: "rename it here"
        case .rulesLoosened:
            "“bothy sync DIR --confirm” agrees; saving the file here with the old rules brings them back"
        case .folderNotArrived: "nothing to do: it comes with the next changes"
        case .remoteNameInvalid: "rename it on another device or in the browser"
        case .remoteListedTwice: "rename one of the two on another device or in the browser"
        case .nameNotHeldHere: "give it a shorter name on another device"
        case .guarded: "look at “bothy sync DIR --dry-run”, then say “bothy sync DIR --confirm”"
        case .justDeleted: "nothing to do: it goes as soon as nothing more is deleted"
        case .folderHeld: "see what “bothy why” says of the folder"
        }
    }
}
