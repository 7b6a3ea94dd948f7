import BothyContract

/// One thing that a command has to say: in words for a person, as a document for a script, or the same in both.
package struct AdminLine: Codable, Hashable, Sendable {
    /// Nil for what only scripts are told.
    package var words: String?
    /// One JSON object. Nil for what only people are told.
    package var document: String?

    /// For a person alone.
    package init(_ words: String) { self.words = words }

    package init(_ words: String?, _ document: some Encodable) throws {
        self.words = words
        self.document = String(decoding: try WireCoding.encodeStably(document), as: UTF8.self)
    }
}
