import BothyContract

/// What went wrong, to what, and what to do now.
public struct ClientFailure: Error, Codable, Equatable, Sendable {
    /// What a program acts on.
    public var code: FailureCode
    /// What happened, and to what: a sentence for a person.
    public var words: String
    /// What to do now.
    public var remedy: String
    /// The server's own refusal, where it was one.
    public var problem: Problem?
    /// Seconds that the server asked to be left alone.
    public var retryAfter: Double?
    /// The answer's status, where there was an answer.
    public var status: Int?
    /// The server's address, where that is what could not be reached: the words name it, and how it failed.
    public var unreached: String?
    /// Whether nobody there took the connection: nothing of the request was sent. nil for false.
    package var isUnconnected: Bool?
    /// Whether a database of this device was found damaged. nil for false.
    package var isDamage: Bool?

    public init(_ code: FailureCode, _ words: String, remedy: String? = nil) {
        self.code = code
        self.words = words
        self.remedy = remedy ?? code.remedy
    }

    /// The same failure with more to act on.
    package func with(_ change: (inout ClientFailure) -> Void) -> ClientFailure {
        var copy = self
        change(&copy)
        return copy
    }

    /// The failure as it is told of one thing: «/docs/a.txt: …».
    public func of(_ subject: String) -> ClientFailure {
        words.hasPrefix(subject) ? self : with { $0.words = "\(subject): \($0.words)" }
    }
}

extension ClientFailure: CustomStringConvertible {
    public var description: String { "\(words) \(remedy)" }
}

/// What a transfer ends with when it does not end well.
public typealias TransferFailure = ClientFailure
