import BothyContract

/// One step of taking a pass back, on the side where the pass had acted. Each has one that takes it back in its turn.
///
/// What it changes is a change like any other: the next pass carries it to the other side.
package enum Reversal: Hashable, Codable, Sendable {
    // MARK: On the server

    /// To the server's trash, with all below it.
    /// - Parameters:
    ///   - content: of a file, what it must hold still; nil asks nothing.
    ///   - count: files and folders that may go, itself included; somebody else has added what is more.
    case trashThere(id: String, at: Place, content: ContentHash?, count: Int, here: TrashedCounterpart)
    /// Out of the server's trash.
    case untrashThere(id: String, at: Place)
    /// The same for what is brought back here: its history comes along, where the server still has it.
    /// - Parameters:
    ///   - content: of a file, what it must hold there to be the same.
    ///   - spot: where it must come back there to be the same.
    case rejoinThere(id: String, at: Place, content: ContentHash?, spot: RemoteSpot?)
    /// An older content becomes the newest revision: nothing is rewritten.
    /// - Parameters:
    ///   - now: the content that is the newest still.
    ///   - isEditHere: what is here then counts as an edit of that revision, and is sent next.
    case setContentThere(id: String, at: Place, now: ContentHash?, to: RemoteFingerprint, isEditHere: Bool)
    case moveThere(id: String, at: Place, from: RemoteSpot, to: RemoteSpot)
    case touchThere(id: String, at: Place, from: FileAttributes, to: FileAttributes)

    // MARK: On the disk

    /// A folder with nothing in it any more.
    case removeFolderHere(at: Place)
    case makeFolderHere(at: Place)
    /// What stands there goes to the local trash, and what lies in the trash under `bringing` takes its place.
    case exchangeHere(at: Place, taking: TakenHere, bringing: String?)
    /// - Parameter wasSetAside: it is this side's version of a conflict, and gets its name back.
    case moveHere(from: Place, to: Place, wasSetAside: Bool)
    case touchHere(at: Place, from: FileAttributes, to: FileAttributes)
}

/// What becomes here of something that goes to the server's trash.
package enum TrashedCounterpart: String, Codable, Sendable {
    /// It was made here, and stays, marked as unsynced: taking back that it was sent is no deletion.
    case stays
    /// It is a conflict's copy, and gets the name back that it had before.
    case goesBack
    /// The next pass does with it what it does with every deletion.
    case follows
}

/// What an exchange takes away here.
package enum TakenHere: Hashable, Codable, Sendable {
    case nothing
    case file(ContentHash)
    /// With all below it, as many files and folders as `count` says.
    case folder(count: Int)
}

/// A place on the server.
package struct RemoteSpot: Hashable, Codable, Sendable {
    package var folderId: String
    package var name: NodeName

    package init(folderId: String, name: NodeName) {
        self.folderId = folderId
        self.name = name
    }
}

/// What a file has besides name and content.
package struct FileAttributes: Hashable, Codable, Sendable {
    package var modifiedAt: Timestamp
    package var executable: Bool

    package init(modifiedAt: Timestamp, executable: Bool) {
        self.modifiedAt = modifiedAt
        self.executable = executable
    }
}

// MARK: - Telling

extension Reversal {
    /// Where it is about; of a move, where it goes, then where it was.
    package var places: [Place] {
        switch self {
        case .trashThere(_, let at, _, _, _), .untrashThere(_, let at), .rejoinThere(_, let at, _, _),
            .setContentThere(_, let at, _, _, _),
            .moveThere(_, let at, _, _), .touchThere(_, let at, _, _), .removeFolderHere(let at),
            .makeFolderHere(let at), .exchangeHere(let at, _, _), .touchHere(let at, _, _):
            [at]
        case .moveHere(let from, let to, _): [to, from]
        }
    }

    /// What happened, as the beginning of a line.
    package var words: String {
        let place = places[0]
        switch self {
        case .trashThere(_, _, _, _, .stays):
            return "put \(place) into the server's trash; it stays here, unsynced"
        case .trashThere(_, _, _, _, .goesBack): return "put the conflict's copy \(place) into the server's trash"
        case .trashThere(_, _, _, _, .follows): return "put \(place) into the server's trash again"
        case .untrashThere, .rejoinThere: return "took \(place) out of the server's trash"
        case .setContentThere: return "gave \(place) its older content on the server; the newer is in its history"
        case .moveThere(_, _, let from, let to):
            let name = from.name == to.name ? "" : ", under the name “\(to.name)”"
            return "moved \(place) back on the server\(name)"
        case .touchThere: return "set the time and mode of \(place) back on the server"
        case .removeFolderHere: return "removed the folder \(place), which had become empty"
        case .makeFolderHere: return "made the folder \(place) again"
        case .exchangeHere(_, .nothing, _): return "took \(place) out of the local trash"
        case .exchangeHere(_, _, nil): return "moved \(place) to the local trash"
        case .exchangeHere(_, _, _?):
            return "brought back the version of \(place) that stood here; the other is in the local trash"
        case .moveHere(_, _, wasSetAside: true):
            return "brought back the version of \(place) that stood here; the other goes into its history"
        case .moveHere(let from, _, _): return "moved \(from) back to \(place)"
        case .touchHere: return "set the time and mode of \(place) back"
        }
    }
}

extension Reversal {
    /// Whether a folder goes to the local trash by it.
    package var takesAFolderAway: Bool { if case .exchangeHere(_, .folder, nil) = self { true } else { false } }

    /// The file on the server that it is about.
    package var remoteId: String? {
        switch self {
        case .trashThere(let id, _, _, _, _), .untrashThere(let id, _), .rejoinThere(let id, _, _, _),
            .setContentThere(let id, _, _, _, _),
            .moveThere(let id, _, _, _), .touchThere(let id, _, _, _):
            id
        case .removeFolderHere, .makeFolderHere, .exchangeHere, .moveHere, .touchHere: nil
        }
    }
}
