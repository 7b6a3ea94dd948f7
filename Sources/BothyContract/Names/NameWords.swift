import Foundation

/// How names are searched: by the beginnings of their words, whatever their case and their accents.
///
/// A word begins where letters or digits begin, where one turns to the other, at a capital after a small letter, and at
/// each sign of a script that is written without spaces. It goes on to the next sign that is neither letter nor digit, so
/// that «TaxReport2024.pdf» is found by `tax`, `taxrep`, `report`, `2024` and `pdf`.
public enum NameWords {
    /// Words that are kept of a name: more than names have, except for those that are made to have them.
    public static let most = 32
    /// UTF-8 bytes of a word that count.
    public static let longest = 64
    /// Terms of a search that count.
    public static let mostTerms = 8

    /// The words of a name, folded, each once.
    public static func words(of name: String) -> [String] {
        let pieces = pieces(of: name[...])
        var words = [String]()
        for start in pieces.indices where pieces[start].begins {
            let word = word(in: pieces, from: start, longest: longest)
            if !words.contains(word) { words.append(word) }
            if words.count == most { break }
        }
        return words
    }

    /// What a person typed, as words that have to be there; empty where nothing of it can be searched.
    public static func terms(of text: String) -> [String] {
        let pieces = pieces(of: text[...])
        var terms = [String]()
        for start in pieces.indices where pieces[start].isWord && (start == 0 || !pieces[start - 1].isWord) {
            let term = word(in: pieces, from: start, longest: longest)
            if !terms.contains(term) { terms.append(term) }
            if terms.count == mostTerms { break }
        }
        return terms
    }

    /// How well a name answers to what was typed, the best first.
    public enum Rank: Int, Comparable, Sendable {
        /// It is what was typed, except for its ending.
        case whole
        case beginning
        /// Every term is a word of it.
        case words
        case parts

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// - Parameter terms: which the name has.
    public static func rank(of name: String, for terms: [String]) -> Rank {
        let words = self.terms(of: name)
        if words == terms || words.dropLast() == terms[...] { return .whole }
        if let first = terms.first, words.first?.hasPrefix(first) == true { return .beginning }
        return terms.allSatisfy { words.contains($0) } ? .words : .parts
    }

    /// Where the terms stand in a name, in order and apart.
    ///
    /// - Returns: nil where one of them does not.
    public static func matches(of terms: [String], in name: String) -> [Range<String.Index>]? {
        let pieces = pieces(of: name[...])
        let found = terms.map { places(of: $0, in: pieces) }
        return found.contains(where: \.isEmpty) ? nil : joined(found.flatMap(\.self), of: pieces, in: name)
    }

    /// Where those of the terms that stand in a stretch of text do, in order and apart.
    public static func marks(of terms: [String], in text: String) -> [Range<String.Index>] {
        let pieces = pieces(of: text[...])
        return joined(terms.flatMap { places(of: $0, in: pieces) }, of: pieces, in: text)
    }

    /// The terms that no word of a name begins with.
    public static func missing(_ terms: [String], in name: String) -> [String] {
        let pieces = pieces(of: name[...])
        return terms.filter { places(of: $0, in: pieces).isEmpty }
    }

    private static func places(of term: String, in pieces: [Piece]) -> [Range<Int>] {
        let wanted = Array(term.unicodeScalars)
        return pieces.indices.filter { start in
            pieces[start].begins && start + wanted.count <= pieces.count
                && zip(wanted, pieces[start...]).allSatisfy { $0 == $1.scalar && $1.isWord }
        }.map { $0..<$0 + wanted.count }
    }

    private static func joined(
        _ found: [Range<Int>], of pieces: [Piece], in text: String
    ) -> [Range<String.Index>] {
        var ranges = [Range<String.Index>]()
        for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            let next = pieces[range.lowerBound].place..<text.index(after: pieces[range.upperBound - 1].place)
            if let last = ranges.last, next.lowerBound < last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
            } else {
                ranges.append(next)
            }
        }
        return ranges
    }

    // MARK: - Folding

    struct Piece {
        var scalar: Unicode.Scalar
        /// The character that it is of.
        var place: String.Index
        var isWord: Bool
        /// A word begins here.
        var begins: Bool
    }

    enum Kind { case none, digit, small, capital, sign, letter }

    static func pieces(of name: Substring) -> [Piece] {
        var pieces = [Piece]()
        var before = Kind.none
        for place in name.indices {
            let kind = kind(of: name[place])
            let begins = kind != .none && isBeginning(kind, after: before)
            for (number, scalar) in folded(name[place]).enumerated() {
                pieces.append(
                    Piece(scalar: scalar, place: place, isWord: kind != .none, begins: begins && number == 0))
            }
            before = kind
        }
        return pieces
    }

    static func isBeginning(_ kind: Kind, after before: Kind) -> Bool {
        switch (before, kind) {
        case (.none, _), (_, .sign), (.sign, _), (.small, .capital): true
        case (.digit, _): kind != .digit
        default: kind == .digit
        }
    }

    private static func kind(of character: Character) -> Kind {
        if let ascii = character.asciiValue { return kind(ofASCII: ascii) }
        guard let scalar = character.unicodeScalars.first else { return .none }
        let properties = scalar.properties
        if properties.numericType != nil, !properties.isIdeographic { return .digit }
        if isSign(scalar) { return .sign }
        if properties.isUppercase { return .capital }
        if properties.isLowercase { return .small }
        return properties.isAlphabetic ? .letter : .none
    }

    /// The same, without asking what Unicode says of it: most of a text is such.
    static func kind(ofASCII ascii: UInt8) -> Kind {
        switch ascii {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: .none
        }
    }

    /// Of a script that is written without spaces between words.
    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isIdeographic { return true }
        return switch scalar.value {
        // Hiragana and Katakana; Thai and Lao; Myanmar; Khmer.
        case 0x3041...0x30FF, 0x0E01...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: scalar.properties.isAlphabetic
        default: false
        }
    }

    /// Small letters without their marks, in compatible forms (UAX #15, NFKD): «É» is `e`, «ﬁ» is `fi`.
    private static func folded(_ character: Character) -> [Unicode.Scalar] {
        if let ascii = character.asciiValue { return [Unicode.Scalar(smallASCII(ascii))] }
        return String(character).decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
    }

    static func smallASCII(_ ascii: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(ascii) ? ascii + 32 : ascii
    }

    /// From there to the end of the word, or to as much of it as counts.
    ///
    /// - Parameter longest: UTF-8 bytes.
    static func word(in pieces: [Piece], from start: Int, longest: Int) -> String {
        var word = String.UnicodeScalarView()
        var bytes = 0
        for piece in pieces[start...] {
            guard piece.isWord else { break }
            bytes += UTF8.width(piece.scalar)
            if bytes > longest { break }
            word.append(piece.scalar)
        }
        return String(word)
    }
}
