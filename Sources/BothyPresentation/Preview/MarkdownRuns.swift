/// The words of one block: which are strong, emphasised, code or a link. One walk along them, whatever is in them.
enum MarkdownRuns {
    static func of(_ text: String) -> [MarkdownText.Run] {
        var reader = Reader(Array(text))
        return reader.read()
    }

    private struct Reader {
        private let signs: [Character]
        private var place = 0
        private var runs = [MarkdownText.Run]()
        private var words = ""
        private var (isStrong, isEmphasised) = (false, false)
        /// Where each mark that may open stands again later; what never closes opens nothing.
        private var last = [String: Int]()
        /// Where a sign was found last: looking for it from further on begins there.
        private var found = [Character: Int]()
        /// Lengths of marks around code that nothing closes any more.
        private var unclosed = Set<Int>()

        init(_ signs: [Character]) {
            self.signs = signs
            for (place, sign) in signs.enumerated() where "*_`".contains(sign) {
                last[String(sign)] = place
                if place > 0, signs[place - 1] == sign { last[String([sign, sign])] = place - 1 }
            }
        }

        mutating func read() -> [MarkdownText.Run] {
            while place < signs.count { step() }
            flush()
            return runs
        }

        private mutating func step() {
            switch signs[place] {
            case "\\" where place + 1 < signs.count && (signs[place + 1].isPunctuation || signs[place + 1].isSymbol):
                words.append(signs[place + 1])
                place += 2
            case "`" where takeCode(): break
            case "!" where next(1) == "[" && takeLink(from: place + 1, isPicture: true): break
            case "[" where takeLink(from: place, isPicture: false): break
            case "<" where takeAddress(): break
            case let sign where sign == "*" || sign == "_": takeMark(sign)
            case let sign:
                words.append(sign)
                place += 1
            }
        }

        private func next(_ distance: Int) -> Character? {
            let index = place + distance
            return signs.indices.contains(index) ? signs[index] : nil
        }

        private mutating func find(_ sign: Character, from start: Int) -> Int? {
            if let known = found[sign], known >= start { return known < signs.count ? known : nil }
            let place = signs[min(start, signs.count)...].firstIndex(of: sign) ?? signs.count
            found[sign] = place
            return place < signs.count ? place : nil
        }

        private mutating func flush() {
            guard !words.isEmpty else { return }
            runs.append(.init(text: words, isStrong: isStrong, isEmphasised: isEmphasised))
            words = ""
        }

        // MARK: - Marks

        private mutating func takeMark(_ sign: Character) {
            let count = next(1) == sign ? 2 : 1
            let isOpen = count == 2 ? isStrong : isEmphasised
            let (before, after) = (next(-1), next(count))
            // Inside a word, “_” is a sign like any other.
            let isInside = sign == "_" && Self.isWord(before) && Self.isWord(after)
            let mayOpen =
                !isOpen && after.map { !$0.isWhitespace } ?? false
                && last[String(repeating: sign, count: count), default: -1] > place + count
            let mayClose = isOpen && before.map { !$0.isWhitespace } ?? false
            guard !isInside, mayOpen || mayClose else {
                words += String(repeating: sign, count: count)
                place += count
                return
            }
            flush()
            if count == 2 { isStrong.toggle() } else { isEmphasised.toggle() }
            place += count
        }

        private static func isWord(_ sign: Character?) -> Bool { sign.map { $0.isLetter || $0.isNumber } ?? false }

        private mutating func takeCode() -> Bool {
            let count = signs[place...].prefix { $0 == "`" }.count
            var end = unclosed.contains(count) ? signs.count : place + count
            while end < signs.count {
                let marks = signs[end...].prefix { $0 == "`" }.count
                if marks == count {
                    flush()
                    var code = String(signs[place + count..<end])
                    if code.first == " ", code.last == " ", code.contains(where: { $0 != " " }) {
                        code = String(code.dropFirst().dropLast())
                    }
                    runs.append(.init(text: code, isStrong: isStrong, isEmphasised: isEmphasised, isCode: true))
                    place = end + count
                    return true
                }
                end += max(1, marks)
            }
            unclosed.insert(count)
            words += String(repeating: "`", count: count)
            place += count
            return true
        }

        // MARK: - Links

        /// `[words](address "title")`; a picture is its description.
        private mutating func takeLink(from start: Int, isPicture: Bool) -> Bool {
            guard let close = find("]", from: start), close + 1 < signs.count, signs[close + 1] == "(",
                let end = find(")", from: close + 2)
            else { return false }
            let said = String(signs[(start + 1)..<close])
            let target = signs[(close + 2)..<end].split(separator: " ", maxSplits: 1).first.map { String($0) } ?? ""
            flush()
            runs.append(
                .init(
                    text: said, isStrong: isStrong, isEmphasised: isEmphasised,
                    link: isPicture ? nil : Self.safe(target)))
            place = end + 1
            return true
        }

        /// `<https://example.org>`
        private mutating func takeAddress() -> Bool {
            guard let end = find(">", from: place), end - place <= Self.longestAddress else { return false }
            let inside = signs[(place + 1)..<end]
            // Looked at before it is copied: a text may be nothing but such beginnings.
            guard Self.isOfTheWeb(String(inside.prefix(Self.longestScheme))) else { return false }
            let target = String(inside)
            guard let link = Self.safe(target) else { return false }
            flush()
            runs.append(.init(text: target, isStrong: isStrong, isEmphasised: isEmphasised, link: link))
            place = end + 1
            return true
        }

        private static func safe(_ target: String) -> String? {
            isOfTheWeb(target) && target.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? target : nil
        }

        private static func isOfTheWeb(_ target: String) -> Bool {
            let beginning = target.prefix(longestScheme).lowercased()
            return schemes.contains { beginning.hasPrefix($0) }
        }

        private static let schemes = ["https://", "http://", "mailto:"]
        private static let longestScheme = 8
        /// Signs between “<” and “>”.
        private static let longestAddress = 2_000
    }
}
