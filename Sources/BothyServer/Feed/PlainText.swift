import BothyContract

/// Plain text beside a post, on one line: a caption, a content warning.
enum PlainText {
    /// - Parameter what: what it is, as a sentence begins with it.
    /// - Returns: it without what acts on a screen; nil where nothing else is in it.
    /// - Throws: `invalid_parameter` for an empty one, and for more Unicode scalars than `most`.
    static func checked(_ asked: String, _ what: String, most: Int) throws -> String? {
        let scalars = asked.unicodeScalars
        guard (1...most).contains(scalars.count) else {
            throw Problem(.invalidParameter, "\(what) has 1 to \(most) characters, or is left out.")
        }
        let shown = String(String.UnicodeScalarView(scalars.filter { !$0.acts }))
        return shown.isEmpty ? nil : shown
    }
}
