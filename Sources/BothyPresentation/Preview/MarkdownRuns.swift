/// The words of one block: which are strong, emphasised, struck through, code or a link. One walk along them, whatever is
/// in them.
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
        private var (isStrong, isEmphasised, isStruck) = (false, false, false)
        /// Where these words lead all together: what looks like a link among them is none.
        private let link: String?
        private let brackets: MarkdownBrackets
        /// Where each mark that may open stands again later; what never closes opens nothing.
        private var last = [String: Int]()
        /// Where a sign was found last: looking for it from further on begins there.
        private var found = [Character: Int]()
        /// Lengths of marks around code that nothing closes any more.
        private var unclosed = Set<Int>()

        init(_ signs: [Character], link: String? = nil) {
            self.signs = signs
            self.link = link
            brackets = MarkdownBrackets(signs)
            for (place, sign) in signs.enumerated() where "*_`~".contains(sign) {
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
            case "h", "H":
                if !takeBareAddress() { takeSign() }
            case let sign where sign == "*" || sign == "_" || sign == "~" && next(1) == "~": takeMark(sign)
            default: takeSign()
            }
        }

        private mutating func takeSign() {
            words.append(signs[place])
            place += 1
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
            append(words, link: link)
            words = ""
        }

        /// Words that look as those around them do.
        private mutating func append(_ text: String, isCode: Bool = false, link: String? = nil) {
            runs.append(
                .init(
                    text: text, isStrong: isStrong, isEmphasised: isEmphasised, isStruck: isStruck, isCode: isCode,
                    link: link))
        }

        // MARK: - Marks

        private mutating func takeMark(_ sign: Character) {
            let count = next(1) == sign ? 2 : 1
            let isOpen = sign == "~" ? isStruck : count == 2 ? isStrong : isEmphasised
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
            if sign == "~" {
                isStruck.toggle()
            } else if count == 2 {
                isStrong.toggle()
            } else {
                isEmphasised.toggle()
            }
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
                    append(code, isCode: true, link: link)
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

        /// `[words](address "title")`; a picture is its description. Words may hold brackets in pairs, and an address
        /// parentheses. Of links in each other the inner one is a link.
        private mutating func takeLink(from start: Int, isPicture: Bool) -> Bool {
            guard isPicture || link == nil, let close = brackets.end(of: start),
                isPicture || !brackets.holdsLink(from: start + 1, to: close),
                let target = MarkdownTarget(signs, from: close + 1)
            else { return false }
            flush()
            let said = signs[(start + 1)..<close]
            if isPicture {
                append(String(said), link: link)
            } else {
                takeWords(Array(said), leadingTo: Self.safe(target.address))
            }
            place = target.end
            return true
        }

        /// The words of a link, with whatever marks are among them.
        private mutating func takeWords(_ signs: [Character], leadingTo target: String?) {
            guard let target else { return append(String(signs)) }
            var inner = Reader(signs, link: target)
            for var run in inner.read() {
                run.isStrong = run.isStrong || isStrong
                run.isEmphasised = run.isEmphasised || isEmphasised
                run.isStruck = run.isStruck || isStruck
                runs.append(run)
            }
        }

        /// `https://example.org` as it stands among words, without the marks that end a sentence (GitHub Flavored Markdown
        /// 0.29, §6.9).
        private mutating func takeBareAddress() -> Bool {
            guard link == nil, next(1) == "t" || next(1) == "T", !Self.isWord(next(-1)),
                Self.isOfTheWeb(String(signs[place...].prefix(Self.longestScheme)), in: Self.bareSchemes)
            else { return false }
            let most = signs[place...].prefix(Self.longestAddress)
            var address = most.prefix(while: Self.isOfAnAddress)
            // Cut off in the middle it would lead elsewhere.
            let isCut = address.endIndex < most.endIndex && !Self.endsWord(most[address.endIndex])
            Self.trim(&address)
            let text = String(address)
            guard !isCut, let scheme = Self.bareSchemes.first(where: { text.lowercased().hasPrefix($0) }),
                text.count > scheme.count, let target = Self.safe(text)
            else { return false }
            flush()
            append(text, link: target)
            place += address.count
            return true
        }

        private static func isOfAnAddress(_ sign: Character) -> Bool {
            sign.asciiValue.map { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
                ?? false
        }

        private static func endsWord(_ sign: Character) -> Bool { sign.isWhitespace || sign == "<" || sign == ">" }

        /// Without the marks that end a sentence, and without a parenthesis that began before it.
        private static func trim(_ address: inout ArraySlice<Character>) {
            let opened = address.count { $0 == "(" }
            var closed = address.count { $0 == ")" }
            while let last = address.last {
                if last == ")", closed > opened {
                    closed -= 1
                } else if !"?!.,:;*_~'\"]|".contains(last) {
                    return
                }
                address.removeLast()
            }
        }

        /// `<https://example.org>`
        private mutating func takeAddress() -> Bool {
            guard let end = find(">", from: place), end - place <= Self.longestAddress else { return false }
            let inside = signs[(place + 1)..<end]
            // Looked at before it is copied: a text may be nothing but such beginnings.
            guard link == nil, Self.isOfTheWeb(String(inside.prefix(Self.longestScheme))) else { return false }
            let target = String(inside)
            guard let link = Self.safe(target) else { return false }
            flush()
            append(target, link: link)
            place = end + 1
            return true
        }

        private static func safe(_ target: String) -> String? {
            isOfTheWeb(target) && target.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? target : nil
        }

        private static func isOfTheWeb(_ target: String, in schemes: [String] = Self.schemes) -> Bool {
            let beginning = target.prefix(longestScheme).lowercased()
            return schemes.contains { beginning.hasPrefix($0) }
        }

        private static let schemes = ["https://", "http://", "mailto:"]
        private static let bareSchemes = ["https://", "http://"]
        private static let longestScheme = 8
        /// Signs between “<” and “>”.
        private static let longestAddress = 2_000
    }
}
