/// What a step is about, for the log and for `why`.
extension Step {
    /// Where it is after the step; then, of a move, where it was. Never empty.
    package var places: [Place] {
        switch self {
        case .record(let at, _, _), .markUnsynced(_, let at, _, _), .makeRemoteFolder(let at, _, _),
            .upload(let at, _, _, _), .makeLocalFolder(let at, _), .download(let at, _, _):
            [at.place]
        case .forget(_, let at), .rebind(_, _, let at), .trashRemote(_, let at, _), .touchRemote(_, let at, _, _),
            .trashLocal(_, _, let at, _), .touchLocal(_, _, let at, _, _), .merge(let at, _, _, _):
            [at]
        case .moveRemote(_, let at, let to, _): [to.place, at]
        case .moveLocal(_, _, let from, let to, _): [to.place, from]
        case .setAside(_, _, let from, let to): [to, from]
        }
    }

    /// Its id on the server, where it has one.
    package var remoteId: String? {
        switch self {
        case .record(_, _, let theirs), .moveRemote(let theirs, _, _, _), .trashRemote(let theirs, _, _),
            .touchRemote(let theirs, _, _, _), .makeLocalFolder(_, let theirs), .download(_, let theirs, _),
            .merge(_, _, _, let theirs):
            theirs.id
        case .forget(let id, _), .rebind(let id, _, _), .markUnsynced(let id, _, _, _), .trashLocal(_, let id, _, _),
            .touchLocal(_, let id, _, _, _):
            id
        case .makeRemoteFolder(_, _, let old): old
        case .upload(_, _, let over, let old): over?.id ?? old
        case .moveLocal(_, let id, _, _, _), .setAside(_, let id, _, _): id
        }
    }

    /// Whether the server is asked to change something, and the answer might get lost.
    package var changesTheServer: Bool {
        switch self {
        case .makeRemoteFolder, .upload, .moveRemote, .trashRemote, .touchRemote: true
        default: false
        }
    }

    /// Whether something is taken away by it.
    var isDeletion: Bool {
        switch self {
        case .trashLocal, .trashRemote: true
        default: false
        }
    }

    /// Whether it takes something away from the server.
    var isDeletionThere: Bool { isDeletion && changesTheServer }

    /// Whether it renames a file that stays, or sets its time: the disk writes down when that was.
    var changesAnInode: Bool {
        switch self {
        case .moveLocal, .setAside, .touchLocal: true
        default: false
        }
    }

    /// Whether it moves content over the network.
    package var movesBytes: Bool {
        switch self {
        case .upload, .download, .merge: true
        default: false
        }
    }

    /// Whether anything but what is written down changes.
    package var isBookkeeping: Bool {
        switch self {
        case .record, .forget, .rebind: true
        default: false
        }
    }

    /// What happened, as the beginning of a line: «uploaded docs/a.txt».
    package var words: String {
        let places = places.map { $0.isRoot ? "/" : $0.text }
        switch self {
        case .record: return "agreed on \(places[0])"
        case .forget: return "forgot \(places[0])"
        case .rebind: return "agreed anew on \(places[0])"
        case .markUnsynced: return "kept \(places[0]) here, unsynced"
        case .makeRemoteFolder: return "made the folder \(places[0]) on the server"
        case .upload(_, _, let over, _):
            return over == nil ? "sent \(places[0])" : "sent the new version of \(places[0])"
        // What was moved here lies in its new place already when it is moved there.
        case .moveRemote where places[0] == places[1]: return "moved \(places[0]) to its new place on the server"
        case .moveRemote: return "moved \(places[1]) to \(places[0]) on the server"
        case .trashRemote(_, _, let count): return "put \(places[0])\(Self.counted(count)) into the server's trash"
        case .touchRemote: return "set the time and mode of \(places[0]) on the server"
        case .makeLocalFolder: return "made the folder \(places[0])"
        case .download(_, _, let over):
            return over == nil ? "fetched \(places[0])" : "fetched the new version of \(places[0])"
        case .moveLocal: return "moved \(places[1]) to \(places[0])"
        case .setAside: return "set \(places[1]) aside as \(places[0])"
        case .trashLocal(_, _, _, let count): return "moved \(places[0])\(Self.counted(count)) to the local trash"
        case .touchLocal: return "set the time and mode of \(places[0])"
        case .merge: return "merged both versions of \(places[0])"
        }
    }

    /// The same, of what lies in its new place already, with where it was.
    ///
    /// - Parameter place: where both sides last agreed that it is.
    package func words(movedFrom place: Place?) -> String {
        guard case .moveRemote(_, let at, let to, _) = self, at == to.place, let place, place != at else {
            return words
        }
        return "moved \(place) to \(at) on the server"
    }

    private static func counted(_ count: Int) -> String { count > 1 ? " and \(count - 1) more below it" : "" }
}
