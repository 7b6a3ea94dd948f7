/// Something that is done to sync a folder, or to take that back.
public struct FolderAct: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case agreed, agreedAnew, forgot, leftOut, keptUnsynced
        case sent, sentNewVersion, fetched, fetchedNewVersion, merged, couldNotMerge
        case madeFolderHere, madeFolderThere
        /// What was moved here lies in its new place already when it is moved there.
        case movedHere(from: String), movedThere(from: String), placedThere
        case setAside(from: String)
        /// - Parameter count: files and folders that go, with the one that is named.
        case trashedHere(count: Int), trashedThere(count: Int), untrashedThere
        case touchedHere, touchedThere
        case tookBack(TakenBack)
    }

    /// What is done to take something back.
    public enum TakenBack: Hashable, Sendable {
        // MARK: Here

        case removedEmptiedFolder, remadeFolder, untrashed
        case moved(from: String), touched
        /// The version that stood here is back; the other lies in the local trash, or in the history.
        case broughtBackOverTrashed, broughtBackOverKept

        // MARK: On the server

        /// It had been sent, and stays here.
        case withdrew
        case trashedCopy, trashedAgain, untrashedThere, setOlderContent
        /// - Parameter name: another than it has.
        case movedThere(name: String?)
        case touchedThere
    }

    /// From the folder's root: where it is afterwards; «/» for the root.
    public var place: String
    public var kind: Kind

    public init(_ kind: Kind, at place: String) {
        self.kind = kind
        self.place = place
    }
}
