import BothyClient

extension ClientFailure {
    /// The server is not there to say what it alone knows; with it, it would be said.
    var needsConnection: Bool { code == .offline }
}

/// Something that a person is told in passing.
public struct Notice: Equatable, Sendable {
    public enum Tone: String, Sendable { case plain, failure }

    /// What was done, for a screen that does more than say so.
    public enum Subject: Equatable, Sendable {
        /// It can be restored where that is told.
        case deletedPost(Int64)
        /// A draft that has become a post: what was kept of it is of no more use.
        case postedDraft(Int64)
    }

    public var tone: Tone
    /// A whole sentence.
    public var text: String
    /// What to do now, where there is something to do.
    public var remedy: String?
    /// Nil for what is only said.
    public var subject: Subject?
    /// What went wrong, for a program, where that is what it tells of, and not that something was missing in what was asked for.
    public var code: FailureCode?
    /// The status of the server's answer to it, where there was one.
    public var status: Int?
    /// With a connection it would work.
    public var needsConnection = false
    /// What was asked for is no page of the list: its address was made up, or cut off.
    public var isOfAddress = false

    public init(_ text: String, tone: Tone = .plain, remedy: String? = nil, subject: Subject? = nil) {
        self.tone = tone
        self.text = text
        self.remedy = remedy
        self.subject = subject
    }
}
