/// Why something is left as it is for now.
///
/// The names are written into devices' databases and never change.
public enum HoldReason: String, Codable, CaseIterable, Sendable {
    // MARK: On the disk
    case beingWritten, inUse, unreadable, notReadYet, placeTaken, nameNotText, symbolicLink, specialFile, mountPoint,
        otherBinding, ownRemains, unmounted, partName, nameReserved
    case nameInvalidThere, rulesLoosened
    // MARK: On the server
    case folderNotArrived, remoteNameInvalid, remoteNameReserved, remoteListedTwice, nameNotHeldHere
    // MARK: Both
    case guarded, justDeleted, folderHeld
}
