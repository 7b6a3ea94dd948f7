import BothyClient

extension ClientFailure {
    /// The server is not there to say what it alone knows; with it, it would be said.
    var needsConnection: Bool { code == .offline }
}

/// Something that a person is told in passing.
public struct Notice: Equatable, Sendable {
    public enum Tone: String, Sendable { case plain, failure }

    public var tone: Tone
    /// A whole sentence.
    public var text: String
    /// What to do now, where there is something to do.
    public var remedy: String?
    /// With a connection it would work.
    public var needsConnection = false

    public init(_ text: String, tone: Tone = .plain, remedy: String? = nil) {
        self.tone = tone
        self.text = text
        self.remedy = remedy
    }
}
