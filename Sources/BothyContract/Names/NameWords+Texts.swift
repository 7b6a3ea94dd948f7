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
        var text = text
        var found = FirstPlaces(most: most)
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count, !found.isFull {
                // What lies between two signs of ASCII's white space, by bytes alone where all of it is ASCII.
                var (end, isASCII) = (start, true)
                while end < bytes.count, !isWhite(bytes[end]) {
                    isASCII = isASCII && bytes[end] < 0x80
                    end += 1
                }
                if isASCII {
                    found.add(wordsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]), at: start)
                } else {
                    found.add(wordsOf: String(decoding: bytes[start..<end], as: UTF8.self), at: start)
                }
                start = end + 1
            }
        }
        return found.places
    }

    private static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Each word with the first place that it was found at.
    private struct FirstPlaces {
        let most: Int
        var places = [String: Int]()

        var isFull: Bool { places.count == most }

        mutating func add(_ word: String, at place: Int) {
            if !isFull, places[word] == nil { places[word] = place }
        }

        /// Of any script.
        mutating func add(wordsOf text: String, at start: Int) {
            for run in text.split(whereSeparator: \.isWhitespace) {
                let pieces = NameWords.pieces(of: run)
                for first in pieces.indices where pieces[first].begins {
                    let place = text.utf8.distance(from: text.startIndex, to: pieces[first].place)
                    add(NameWords.word(in: pieces, from: first, longest: longestInText), at: start + place)
                }
            }
        }

        /// The same of ASCII alone, which most texts are, at a thirtieth of the cost.
        mutating func add(wordsOf text: UnsafeBufferPointer<UInt8>, at start: Int) {
            var before = Kind.none
            for first in text.indices {
                let kind = NameWords.kind(ofASCII: text[first])
                if kind != .none, NameWords.isBeginning(kind, after: before) {
                    let most = text[first..<min(first + longestInText, text.endIndex)]
                    let word = most.prefix { NameWords.kind(ofASCII: $0) != .none }
                    let folded = String(unsafeUninitializedCapacity: word.count) { folded in
                        folded.initialize(fromContentsOf: word.lazy.map(NameWords.smallASCII))
                    }
                    add(folded, at: start + first)
                }
                before = kind
            }
        }
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
