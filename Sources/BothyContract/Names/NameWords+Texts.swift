/// How texts are searched: by the same words as names, so that what is found, and what a screen marks as found, cannot come
/// apart.
extension NameWords {
    /// Bytes of a text, from its beginning, that are looked through.
    public static let longestText = 256 << 10
    /// Different words that are kept of a text; a book has as many. The first ones are, of a text with more.
    public static let mostInText = 8192
    /// UTF-8 bytes of a word in a text that count: every word of a language, and less of what is none, such as encoded data.
    public static let longestInText = 24

    /// The words of a text, folded, each with the place where it first stands: UTF-8 bytes from the beginning.
    public static func places(in text: String, most: Int = NameWords.mostInText) -> [String: Int] {
        var places = [String: Int]()
        for run in text.split(whereSeparator: \.isWhitespace) {
            let pieces = pieces(of: run)
            for start in pieces.indices where pieces[start].begins {
                let word = word(in: pieces, from: start, longest: longestInText)
                guard places[word] == nil else { continue }
                places[word] = text.utf8.distance(from: text.startIndex, to: pieces[start].place)
                if places.count == most { return places }
            }
        }
        return places
    }

    /// As much of a term as counts in a text.
    public static func cutForText(_ term: String) -> String {
        var cut = String.UnicodeScalarView()
        var bytes = 0
        for scalar in term.unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > longestInText { break }
            cut.append(scalar)
        }
        return String(cut)
    }
}
