import BothyContract

/// A few words around what was found in a text, on one line.
enum TextExcerpt {
    /// Scalars that are shown before where the word begins.
    private static let before = 40
    /// Scalars that are shown from there on.
    private static let after = 140

    /// - Parameters:
    ///   - place: UTF-8 bytes from the text's beginning, where a word begins.
    ///   - terms: which are marked.
    /// - Returns: nil for a place that is not in the text.
    static func of(_ text: String, at place: Int, marking terms: [String]) -> [SearchResponse.Stretch]? {
        guard let found = text.utf8.index(text.startIndex, offsetBy: place, limitedBy: text.endIndex),
            found < text.endIndex
        else { return nil }
        let scalars = text.unicodeScalars
        var start = scalars.index(found, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
        if start > text.startIndex, let gap = scalars[start..<found].firstIndex(where: \.properties.isWhitespace) {
            start = gap
        }
        var end = scalars.index(found, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
        if end < text.endIndex, let gap = scalars[found..<end].lastIndex(where: \.properties.isWhitespace) { end = gap }
        let words = scalars[start..<end].split(whereSeparator: \.properties.isWhitespace).map { String($0) }
        let line =
            (start > text.startIndex ? "… " : "") + words.joined(separator: " ") + (end < text.endIndex ? " …" : "")
        return stretches(of: line, terms)
    }

    private static func stretches(of line: String, _ terms: [String]) -> [SearchResponse.Stretch] {
        var stretches = [SearchResponse.Stretch]()
        var place = line.startIndex
        func add(to end: String.Index, isFound: Bool) {
            if place < end { stretches.append(.init(String(line[place..<end]), isFound: isFound)) }
            place = end
        }
        for range in NameWords.marks(of: terms, in: line) {
            add(to: range.lowerBound, isFound: false)
            add(to: range.upperBound, isFound: true)
        }
        add(to: line.endIndex, isFound: false)
        return stretches
    }
}
