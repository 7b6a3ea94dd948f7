/// One line of a `.bothyignore`, in gitignore's language (git's documentation, gitignore(5)).
package struct IgnorePattern: Hashable, Sendable {
    /// The line as it is written.
    package let text: String
    /// Whether what it matches is taken in again.
    package let isNegated: Bool
    package let isForFoldersOnly: Bool
    /// Whether it holds for the whole path from its folder, not for a name anywhere below it.
    let isAnchored: Bool
    private let pieces: [Piece]

    private enum Piece: Hashable {
        /// `**`: any number of folders.
        case anyFolders
        case name([Token])
    }

    private enum Token: Hashable {
        case byte(UInt8)
        case anyByte
        case anyRun
        case oneOf([ClosedRange<UInt8>], isNegated: Bool)
    }

    /// - Returns: nil for an empty line, a comment, and a pattern that can match nothing.
    package init?(line: some StringProtocol) {
        var bytes = Self.withoutTrailingSpaces(Array(line.utf8))
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        text = String(decoding: bytes, as: UTF8.self)
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        isNegated = first == UInt8(ascii: "!")
        if isNegated { bytes.removeFirst() }
        isForFoldersOnly = bytes.last == UInt8(ascii: "/")
        if isForFoldersOnly { bytes.removeLast() }
        isAnchored = bytes.contains(UInt8(ascii: "/"))
        if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
        guard !bytes.isEmpty else { return nil }
        var pieces: [Piece] = []
        for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if Array(part) == Array("**".utf8) {
                if pieces.last != .anyFolders { pieces.append(.anyFolders) }
            } else {
                guard let tokens = Self.tokens(part) else { return nil }
                pieces.append(.name(tokens))
            }
        }
        self.pieces = pieces
    }

    /// - Parameter names: the way from the folder that the pattern stands in.
    package func matches(_ names: ArraySlice<NodeName>, kind: NodeKind) -> Bool {
        if isForFoldersOnly, kind != .folder { return false }
        guard isAnchored else {
            guard let name = names.last, case .name(let tokens) = pieces[0] else { return !names.isEmpty }
            return Self.match(tokens[...], Array(name.text.utf8)[...])
        }
        return Self.match(pieces, names)
    }

    // MARK: - Reading

    private static func withoutTrailingSpaces(_ line: [UInt8]) -> [UInt8] {
        var line = line
        while line.last == UInt8(ascii: " ") {
            let slashes = line.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count
            if slashes % 2 == 1 { break }
            line.removeLast()
        }
        return line
    }

    private static func tokens(_ part: ArraySlice<UInt8>) -> [Token]? {
        var tokens: [Token] = []
        var rest = part
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): if tokens.last != .anyRun { tokens.append(.anyRun) }
            case UInt8(ascii: "?"): tokens.append(.anyByte)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                tokens.append(.byte(escaped))
            case UInt8(ascii: "["):
                guard let set = oneOf(&rest) else { return nil }
                tokens.append(set)
            default: tokens.append(.byte(byte))
            }
        }
        return tokens
    }

    private static func oneOf(_ rest: inout ArraySlice<UInt8>) -> Token? {
        var ranges: [ClosedRange<UInt8>] = []
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest.removeFirst() }
        var isFirst = true
        while var low = rest.popFirst() {
            if low == UInt8(ascii: "]"), !isFirst { return .oneOf(ranges, isNegated: isNegated) }
            isFirst = false
            if low == UInt8(ascii: "["), let set = namedSet(&rest) {
                ranges += set
                continue
            }
            if low == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                low = escaped
            }
            var high = low
            if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, end != UInt8(ascii: "]") {
                rest.removeFirst(2)
                high = end
                if end == UInt8(ascii: "\\") {
                    guard let escaped = rest.popFirst() else { return nil }
                    high = escaped
                }
            }
            if low <= high { ranges.append(low...high) }
        }
        return nil
    }

    /// `[:alpha:]` and its kin, within brackets.
    private static func namedSet(_ rest: inout ArraySlice<UInt8>) -> [ClosedRange<UInt8>]? {
        guard rest.first == UInt8(ascii: ":"), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: ":")),
            rest.indices.contains(end + 1), rest[end + 1] == UInt8(ascii: "]"),
            let set = sets[String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)]
        else { return nil }
        rest = rest[(end + 2)...]
        return set
    }

    private static let sets: [String: [ClosedRange<UInt8>]] = [
        "alpha": [0x41...0x5A, 0x61...0x7A], "digit": [0x30...0x39], "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
        "upper": [0x41...0x5A], "lower": [0x61...0x7A], "space": [0x09...0x0D, 0x20...0x20],
        "blank": [0x09...0x09, 0x20...0x20], "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
        "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66], "cntrl": [0x00...0x1F, 0x7F...0x7F],
        "graph": [0x21...0x7E], "print": [0x20...0x7E],
    ]

    // MARK: - Matching

    /// Two positions and one to come back to: no pattern takes more than the product of both lengths.
    private static func match(_ tokens: ArraySlice<Token>, _ name: ArraySlice<UInt8>) -> Bool {
        var (at, byte) = (tokens.startIndex, name.startIndex)
        var retry: (token: Int, byte: Int)?
        while byte < name.endIndex {
            if at < tokens.endIndex, tokens[at] == .anyRun {
                retry = (at + 1, byte)
                at += 1
            } else if at < tokens.endIndex, let used = width(of: tokens[at], name[byte...]) {
                at += 1
                byte += used
            } else if let back = retry {
                retry = (back.token, back.byte + 1)
                (at, byte) = (back.token, back.byte + 1)
            } else {
                return false
            }
        }
        return tokens[at...].allSatisfy { $0 == .anyRun }
    }

    /// How many bytes a token takes; nil where it does not match. `?` takes a whole character of UTF-8.
    private static func width(of token: Token, _ bytes: ArraySlice<UInt8>) -> Int? {
        let byte = bytes.first!
        switch token {
        case .byte(let wanted): return byte == wanted ? 1 : nil
        case .anyByte: return 1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
        case .oneOf(let ranges, let isNegated):
            return ranges.contains { $0.contains(byte) } != isNegated ? 1 : nil
        case .anyRun: return nil
        }
    }

    /// As with bytes: only the last `**` is come back to, so a pattern from another device cannot take for ever.
    private static func match(_ pieces: [Piece], _ names: ArraySlice<NodeName>) -> Bool {
        var (at, name) = (pieces.startIndex, names.startIndex)
        var retry: (piece: Int, name: Int)?
        while name < names.endIndex {
            if at < pieces.endIndex, pieces[at] == .anyFolders {
                // At the end, `**` takes everything below, and not the folder itself.
                if at + 1 == pieces.endIndex { return true }
                retry = (at + 1, name)
                at += 1
            } else if at < pieces.endIndex, case .name(let tokens) = pieces[at],
                match(tokens[...], Array(names[name].text.utf8)[...])
            {
                at += 1
                name += 1
            } else if let back = retry {
                retry = (back.piece, back.name + 1)
                (at, name) = (back.piece, back.name + 1)
            } else {
                return false
            }
        }
        return at == pieces.endIndex
    }
}
