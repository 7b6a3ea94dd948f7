import BothyClient
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

extension RemoteSpot: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("folderId", folderId)
        json.field("name", name.text)
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

    /// What is done by it.
    package var act: FolderAct {
        let kind: FolderAct.Kind =
            switch self {
            case .trashThere(_, _, _, _, .stays): .tookBack(.withdrew)
            case .trashThere(_, _, _, _, .goesBack): .tookBack(.trashedCopy)
            case .trashThere(_, _, _, _, .follows): .tookBack(.trashedAgain)
            case .untrashThere, .rejoinThere: .tookBack(.untrashedThere)
            case .setContentThere: .tookBack(.setOlderContent)
            case .moveThere(_, _, let from, let to):
                .tookBack(.movedThere(name: from.name == to.name ? nil : to.name.text))
            case .touchThere: .tookBack(.touchedThere)
            case .removeFolderHere: .tookBack(.removedEmptiedFolder)
            case .makeFolderHere: .tookBack(.remadeFolder)
            case .exchangeHere(_, .nothing, _): .tookBack(.untrashed)
            case .exchangeHere(_, _, nil): .trashedHere(count: 1)
            case .exchangeHere(_, _, _?): .tookBack(.broughtBackOverTrashed)
            case .moveHere(_, _, wasSetAside: true): .tookBack(.broughtBackOverKept)
            case .moveHere(let from, _, _): .tookBack(.moved(from: from.description))
            case .touchHere: .tookBack(.touched)
            }
        return FolderAct(kind, at: places[0].description)
    }
}

extension Reversal {
    /// Whether the other side has yet to hear of it when it is done.
    package var isCarried: Bool {
        switch self {
        case .trashThere(_, _, _, _, let here): here == .follows
        case .rejoinThere, .moveHere(_, _, wasSetAside: true): false
        case .untrashThere, .setContentThere, .moveThere, .touchThere, .removeFolderHere, .makeFolderHere,
            .exchangeHere, .moveHere, .touchHere:
            true
        }
    }

    /// Whether a folder goes to the local trash by it.
    package var takesAFolderAway: Bool { if case .exchangeHere(_, .folder, nil) = self { true } else { false } }

    /// Whether it is done on the server, else on the disk.
    var changesTheServer: Bool { remoteId != nil }

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

// MARK: - Names that others have taken

extension Reversal {
    /// Under as many numbers a name is looked for that nobody has.
    package static let mostNumbers = 100

    /// The same under another name, where it is about what has a passing name now and somebody has taken the one that it had
    /// before: a passing name is no name to be left with. Nil where it may stay as it is.
    ///
    /// - Parameter attempt: counts from 0.
    package func numbered(_ attempt: Int) -> Reversal? {
        switch self {
        case .moveThere(let id, let at, let from, let to)
        where GivenNames.isTemporary(from.name) && !GivenNames.isTemporary(to.name):
            let spot = RemoteSpot(folderId: to.folderId, name: GivenNames.numbered(to.name, attempt: attempt))
            return .moveThere(id: id, at: at, from: from, to: spot)
        case .moveHere(let from, let to, let wasSetAside)
        where GivenNames.isTemporary(from.name) && !GivenNames.isTemporary(to.name):
            let place = to.parent.appending(GivenNames.numbered(to.name, attempt: attempt))
            return .moveHere(from: from, to: place, wasSetAside: wasSetAside)
        default: return nil
        }
    }
}
