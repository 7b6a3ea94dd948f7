import BothyClient

extension ClientFailure {
    /// The server is not there to say what it alone knows; with it, it would be said.
    var needsConnection: Bool { code == .offline }
}

/// Something that a person is told in passing.
public struct Notice: Equatable, Sendable {
    public enum Tone: String, Sendable { case plain, failure }

    /// What was done, and can be taken back where it is told.
    public enum Undo: Equatable, Sendable {
        case deletedPost(Int64)
    }

    public var tone: Tone
    /// A whole sentence.
    public var text: String
    /// What to do now, where there is something to do.
    public var remedy: String?
    /// Nil for what cannot be taken back here.
    public var undo: Undo?

    public init(_ text: String, tone: Tone = .plain, remedy: String? = nil, undo: Undo? = nil) {
        self.tone = tone
        self.text = text
        self.remedy = remedy
        self.undo = undo
    }
}
