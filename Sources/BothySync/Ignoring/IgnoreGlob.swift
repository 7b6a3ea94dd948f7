/// A pattern with `*`, `?`, `[…]` and `**`, held against the bytes of a path or of a name.
///
/// All places of the pattern that the text may have come to are followed at once, so that no pattern takes more than the product of both
/// lengths: it may be another device's.
struct IgnoreGlob: Hashable, Sendable {
    private enum Token: Hashable {
        case byte(UInt8)
        /// `?`: one character, no slash.
        case anyCharacter
        /// One byte of a set, no slash.
        case oneOf([ClosedRange<UInt8>], isNegated: Bool)
        /// `*`: any bytes but slashes.
        case run
        /// `**`: any bytes.
        case deepRun
        /// Before a `deepRun` and a slash: both may stand for nothing.
        case mayPassOver
    }

    private let tokens: [Token]

    private static let (star, slash, backslash) = (UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "\\"))

    /// - Returns: nil for a pattern that can match nothing: one that ends in a backslash, or in the middle of a set.
    init?(_ pattern: [UInt8]) {
        var tokens = [Token]()
        var rest = pattern[...]
        // Git compares what stands before the first special character by itself, and takes what follows for the beginning.
        let begin = pattern.firstIndex { Self.isSpecial($0) } ?? pattern.endIndex
        while let byte = rest.first {
            let at = rest.startIndex
            rest.removeFirst()
            switch byte {
            case Self.star:
                let stars = 1 + rest.prefix { $0 == Self.star }.count
                rest = rest.dropFirst(stars - 1)
                let beginsName = at == begin || pattern[at - 1] == Self.slash
                let endsName =
                    rest.isEmpty || rest.first == Self.slash || rest.starts(with: [Self.backslash, Self.slash])
                let isDeep = stars > 1 && beginsName && endsName
                if isDeep, rest.first == Self.slash { tokens.append(.mayPassOver) }
                tokens.append(isDeep ? .deepRun : .run)
            case UInt8(ascii: "?"): tokens.append(.anyCharacter)
            case Self.backslash:
                guard let escaped = rest.popFirst() else { return nil }
                tokens.append(.byte(escaped))
            case UInt8(ascii: "["):
                guard let set = Self.set(&rest) else { return nil }
                tokens.append(set)
            default: tokens.append(.byte(byte))
            }
        }
        self.tokens = tokens
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == star || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[") || byte == backslash
    }

    // MARK: - Sets

    private static let (open, close, dash, colon) = (
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "-"), UInt8(ascii: ":")
    )

    /// What stands between brackets, the closing one included. In it, a slash is no end of a name.
    private static func set(_ rest: inout ArraySlice<UInt8>) -> Token? {
        var ranges = [ClosedRange<UInt8>]()
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest.removeFirst() }
        // What a range may begin with: not the end of another, and no class.
        var previous: UInt8?
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == close, !isFirst { return .oneOf(ranges, isNegated: isNegated) }
            isFirst = false
            if byte == backslash {
                guard let escaped = rest.popFirst() else { return nil }
                ranges.append(escaped...escaped)
                previous = escaped
            } else if byte == dash, let low = previous, let next = rest.first, next != close {
                rest.removeFirst()
                guard let high = next == backslash ? rest.popFirst() : next else { return nil }
                if low <= high { ranges.append(low...high) }
                previous = nil
            } else if byte == open, rest.first == colon, let end = rest.dropFirst().firstIndex(of: close) {
                let name = rest[(rest.startIndex + 1)..<end]
                guard name.last == colon else {
                    ranges.append(open...open)
                    previous = open
                    continue
                }
                guard let named = classes[String(decoding: name.dropLast(), as: UTF8.self)] else { return nil }
                ranges += named
                rest = rest[(end + 1)...]
                previous = nil
            } else if byte == open, rest.first == colon {
                return nil
            } else {
                ranges.append(byte...byte)
                previous = byte
            }
        }
        return nil
    }

    private static let classes: [String: [ClosedRange<UInt8>]] = [
        "alpha": [0x41...0x5A, 0x61...0x7A], "digit": [0x30...0x39], "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
        "upper": [0x41...0x5A], "lower": [0x61...0x7A], "space": [0x09...0x0A, 0x0D...0x0D, 0x20...0x20],
        "blank": [0x09...0x09, 0x20...0x20], "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
        "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66], "cntrl": [0x00...0x1F, 0x7F...0x7F],
        "graph": [0x21...0x7E], "print": [0x20...0x7E],
    ]

    // MARK: - Matching

    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        // Most lines name a file or an ending, and most names are others.
        if case .byte(let first)? = tokens.first, text.first != first { return false }
        if case .byte(let last)? = tokens.last, text.last != last { return false }
        var places = [Bool](repeating: false, count: tokens.count + 1)
        places[0] = true
        reach(&places)
        for byte in text {
            var next = [Bool](repeating: false, count: places.count)
            var isAny = false
            for place in places.indices where places[place] {
                if go(on: byte, from: place, to: &next) { isAny = true }
            }
            guard isAny else { return false }
            places = next
            reach(&places)
        }
        return places[tokens.count]
    }

    /// Adds what is reached without a byte, from left to right.
    private func reach(_ places: inout [Bool]) {
        for place in tokens.indices where places[place] {
            switch tokens[place] {
            case .run, .deepRun: places[place + 1] = true
            case .mayPassOver: (places[place + 1], places[place + 3]) = (true, true)
            case .byte, .anyCharacter, .oneOf: break
            }
        }
    }

    /// Notes where a byte leads from a place.
    ///
    /// - Returns: whether it leads anywhere.
    private func go(on byte: UInt8, from place: Int, to next: inout [Bool]) -> Bool {
        // The rest of a character that `?` has taken.
        if place > 0, tokens[place - 1] == .anyCharacter, byte & 0xC0 == 0x80 {
            next[place] = true
            return true
        }
        guard place < tokens.count else { return false }
        let target: Int? =
            switch tokens[place] {
            case .byte(let wanted): byte == wanted ? place + 1 : nil
            case .anyCharacter: byte != Self.slash ? place + 1 : nil
            case .oneOf(let ranges, let isNegated):
                byte != Self.slash && ranges.contains { $0.contains(byte) } != isNegated ? place + 1 : nil
            case .run: byte != Self.slash ? place : nil
            case .deepRun: place
            case .mayPassOver: nil
            }
        if let target { next[target] = true }
        return target != nil
    }
}
