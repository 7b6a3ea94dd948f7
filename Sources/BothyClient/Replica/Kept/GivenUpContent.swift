import BothyContract

/// Content that was given up on this device before it was ever sent: its bytes lie in the home for a time.
public struct GivenUpContent: Equatable, Sendable, Identifiable {
    /// Why. The names are written into devices' databases and never change.
    public enum Reason: String, Codable, CaseIterable, Sendable {
        /// What was put here was put into the trash before it had been sent.
        case removed
        /// The change that would have sent it was discarded.
        case discarded
        /// What was on the server was kept.
        case theirsKept = "theirs_kept"
        /// It was merged with what was on the server; this is what was written here.
        case merged
        /// A program that died left it, and nobody has noted what it was.
        case leftBehind = "left_behind"
    }

    /// Of this device.
    public let id: String
    /// Where it was shown on the server; nil where nobody has noted it.
    public let path: RemotePath?
    public let reason: Reason
    /// Bytes.
    public let size: Int64
    public let givenUpAt: Timestamp
    /// Where its bytes lie.
    public let localPath: String
    package let mimeType: String?
}
