import BothyClient

/// What a step is about, for the log and for `why`.
extension Step {
    /// Where it is after the step; then, of a move, where it was. Never empty.
    package var places: [Place] {
        switch self {
        case .record(let at, _, _), .markUnsynced(_, let at, _, _), .makeRemoteFolder(let at, _, _),
            .upload(let at, _, _, _), .untrashRemote(_, let at), .makeLocalFolder(let at, _), .download(let at, _, _):
            [at.place]
        case .forget(_, let at), .leaveOut(_, let at), .rebind(_, _, let at), .trashRemote(_, let at, _),
            .touchRemote(_, let at, _, _), .trashLocal(_, _, let at, _), .touchLocal(_, _, let at, _, _),
            .merge(let at, _, _, _):
            [at]
        case .moveRemote(_, let at, let to, _): [to.place, at]
        case .moveLocal(_, _, let from, let to, _): [to.place, from]
        case .setAside(_, _, let from, let to): [to, from]
        }
    }

    /// The same, of what lies in its new place already, with where it was.
    ///
    /// - Parameter place: where both sides last agreed that it is.
    package func places(movedFrom place: Place?) -> [Place] {
        guard case .moveRemote(_, let at, let to, _) = self, at == to.place, let place else { return places }
        return [at, place]
    }

    /// Its id on the server, where it has one.
    package var remoteId: String? {
        switch self {
        case .record(_, _, let theirs), .moveRemote(let theirs, _, _, _), .trashRemote(let theirs, _, _),
            .touchRemote(let theirs, _, _, _), .makeLocalFolder(_, let theirs), .download(_, let theirs, _),
            .untrashRemote(let theirs, _), .merge(_, _, _, let theirs):
            theirs.id
        case .forget(let id, _), .leaveOut(let id, _), .rebind(let id, _, _), .markUnsynced(let id, _, _, _),
            .trashLocal(_, let id, _, _), .touchLocal(_, let id, _, _, _):
            id
        case .makeRemoteFolder(_, _, let old): old
        case .upload(_, _, let over, let old): over?.id ?? old
        case .moveLocal(_, let id, _, _, _), .setAside(_, let id, _, _): id
        }
    }

    /// Whether the server is asked to change something, and the answer might get lost.
    package var changesTheServer: Bool {
        switch self {
        case .makeRemoteFolder, .upload, .moveRemote, .untrashRemote, .trashRemote, .touchRemote: true
        default: false
        }
    }

    /// Whether something is taken away by it.
    package var isDeletion: Bool {
        switch self {
        case .trashLocal, .trashRemote: true
        default: false
        }
    }

    /// Whether it moves, takes away, forgets or leaves out a folder with all in it.
    var takesAlongWhatIsBelow: Bool {
        switch self {
        case .moveRemote, .moveLocal, .setAside, .trashRemote, .trashLocal, .forget, .leaveOut: true
        case .record, .rebind, .markUnsynced, .makeRemoteFolder, .upload, .untrashRemote, .touchRemote,
            .makeLocalFolder, .download, .touchLocal, .merge:
            false
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

    /// Whether both sides have one content of it afterwards, or one of them has nothing of it: then it is in no conflict.
    package var agreesOnContent: Bool {
        switch self {
        case .record(_, let mine, let theirs): mine.hash == theirs.checksum
        case .forget, .upload, .download, .merge, .trashRemote, .trashLocal: true
        case .leaveOut, .rebind, .markUnsynced, .makeRemoteFolder, .makeLocalFolder, .moveRemote, .untrashRemote,
            .moveLocal, .setAside, .touchRemote, .touchLocal:
            false
        }
    }

    /// Whether anything but what is written down changes.
    package var isBookkeeping: Bool {
        switch self {
        case .record, .forget, .leaveOut, .rebind: true
        default: false
        }
    }

    /// What is done by it.
    package var act: FolderAct { act(movedFrom: nil) }

    /// The same, of what lies in its new place already, with where it was.
    ///
    /// - Parameter place: where both sides last agreed that it is.
    package func act(movedFrom place: Place?) -> FolderAct {
        let places = places(movedFrom: place).map(\.description)
        let kind: FolderAct.Kind =
            switch self {
            case .record: .agreed
            case .forget: .forgot
            case .leaveOut: .leftOut
            case .rebind: .agreedAnew
            case .markUnsynced: .keptUnsynced
            case .makeRemoteFolder: .madeFolderThere
            case .upload(_, _, let over, _): over == nil ? .sent : .sentNewVersion
            case .moveRemote: places[0] == places[1] ? .placedThere : .movedThere(from: places[1])
            case .untrashRemote: .untrashedThere
            case .trashRemote(_, _, let count): .trashedThere(count: count)
            case .touchRemote: .touchedThere
            case .makeLocalFolder: .madeFolderHere
            case .download(_, _, let over): over == nil ? .fetched : .fetchedNewVersion
            case .moveLocal: .movedHere(from: places[1])
            case .setAside: .setAside(from: places[1])
            case .trashLocal(_, _, _, let count): .trashedHere(count: count)
            case .touchLocal: .touchedHere
            case .merge: .merged
            }
        return FolderAct(kind, at: places[0])
    }
}
