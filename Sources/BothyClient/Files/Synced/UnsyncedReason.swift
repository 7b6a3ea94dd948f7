/// Why a file or folder stays here and is not sent.
public enum UnsyncedReason: String, Codable, CaseIterable, Sendable {
    /// It was deleted on the server, or by another device.
    case deletedElsewhere
    /// This folder was linked anew, and the server remembers that this file was deleted.
    case rememberedAsDeleted
    /// A folder that was deleted elsewhere, with things in it that are not synced.
    case holdsWhatIsNotSynced
    /// A person took back that it was sent.
    case takenBack
}
