/// What posts are looked for by: the server asks its index for it, and a device the texts that it keeps.
package enum PostMatch: Equatable, Sendable {
    /// - Parameter tag: as ``PostTag/folded(_:)`` has it.
    case tag(String)
    /// Each begins a word of the post, or of the warning before it.
    case words([String])

    /// What a person typed.
    ///
    /// - Returns: nil where nothing of it can be searched.
    package static func typed(_ text: String) -> PostMatch? {
        let terms = NameWords.terms(of: text).map { NameWords.cutForText($0) }
        return terms.isEmpty ? nil : .words(terms)
    }

    /// Whether a post is found by it.
    ///
    /// - Parameters:
    ///   - text: with its references: see ``PostNaming``.
    ///   - warning: nil where the post has none.
    package func finds(_ text: PostText, warning: String?) -> Bool {
        switch self {
        case .tag(let tag): return text.tags.contains(tag)
        case .words(let terms): return NameWords.missing(terms, in: Self.said(text, warning: warning)).isEmpty
        }
    }

    /// What a post is found by the words of.
    package static func said(_ text: PostText, warning: String?) -> String {
        [warning, text.plain].compactMap(\.self).joined(separator: "\n")
    }
}
