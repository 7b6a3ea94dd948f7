/// A word of an answer, out of a list that a newer server may have more of: one that is known here, or one that was kept as it came.
///
/// A reader of an answer meets a word of tomorrow and continues: it is passed over, handed on or told as it is, and never taken for
/// another. So every list of words that stands in an answer is read as this; ``known`` is what can be acted on. What stands in a
/// request alone is no such list: the server refuses a word that it does not know.
public struct OpenWord<Word: RawRepresentable<String> & Hashable & Sendable>: RawRepresentable, Codable, Hashable,
    Sendable
{
    /// As it stands on the wire.
    public let rawValue: String
    /// nil for a word of a newer server's.
    public let known: Word?

    public init(_ word: Word) {
        rawValue = word.rawValue
        known = word
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
        known = Word(rawValue: rawValue)
    }

    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// False for a word that is not known: it is none of those that are.
public func == <Word>(told: OpenWord<Word>?, word: Word) -> Bool { told?.known == word }
public func != <Word>(told: OpenWord<Word>?, word: Word) -> Bool { told?.known != word }

extension OpenWord: JSONValue {
    package init(value json: inout JSONReader) throws(JSONReader.Unusual) {
        self.init(rawValue: try String(value: &json))
    }
}
