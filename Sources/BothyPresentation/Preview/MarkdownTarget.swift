/// Where a link leads: `(address "title")`, as CommonMark 0.31 has it (§6.3).
struct MarkdownTarget {
    let address: String
    /// The place behind the parenthesis that closes it.
    let end: Int

    /// Signs of an address, and of a title.
    private static let longest = 2_000
    /// Parentheses in each other in an address.
    private static let deepest = 4

    /// - Parameter start: the place of the opening parenthesis.
    /// - Returns: nil where there is none, or what stands there is no such thing.
    init?(_ signs: [Character], from start: Int) {
        guard start < signs.count, signs[start] == "(" else { return nil }
        var place = Self.pastSpaces(signs, from: start + 1)
        guard let address = Self.address(signs, &place) else { return nil }
        let afterAddress = place
        place = Self.pastSpaces(signs, from: place)
        if place > afterAddress, let past = Self.pastTitle(signs, from: place) {
            place = Self.pastSpaces(signs, from: past)
        }
        guard place < signs.count, signs[place] == ")" else { return nil }
        self.address = address
        end = place + 1
    }

    /// Either anything between “<” and “>”, or what has no spaces and its parentheses in pairs.
    private static func address(_ signs: [Character], _ place: inout Int) -> String? {
        let isFramed = place < signs.count && signs[place] == "<"
        let start = isFramed ? place + 1 : place
        let end = isFramed ? frameEnd(signs, from: start) : pairsEnd(signs, from: start)
        guard let end else { return nil }
        place = isFramed ? end + 1 : end
        return unescaped(signs[start..<end])
    }

    private static func frameEnd(_ signs: [Character], from start: Int) -> Int? {
        var place = start
        while place < signs.count, place - start <= longest, signs[place] != "<" {
            if signs[place] == ">" { return place }
            place += signs[place] == "\\" ? 2 : 1
        }
        return nil
    }

    private static func pairsEnd(_ signs: [Character], from start: Int) -> Int? {
        var (place, depth) = (start, 0)
        while place < signs.count, place - start <= longest {
            switch signs[place] {
            case "(":
                depth += 1
                if depth > deepest { return nil }
            case ")":
                if depth == 0 { return place }
                depth -= 1
            case "\\": place += 1
            case let sign where sign.isWhitespace: return depth == 0 ? place : nil
            default: break
            }
            place += 1
        }
        return nil
    }

    private static func unescaped(_ signs: ArraySlice<Character>) -> String {
        guard signs.contains("\\") else { return String(signs) }
        var (text, isEscaped) = ("", false)
        for sign in signs {
            if sign == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            if isEscaped, !sign.isPunctuation, !sign.isSymbol { text.append("\\") }
            text.append(sign)
            isEscaped = false
        }
        return text
    }

    private static func pastTitle(_ signs: [Character], from start: Int) -> Int? {
        let closing: [Character: Character] = ["\"": "\"", "'": "'", "(": ")"]
        guard start < signs.count, let quote = closing[signs[start]] else { return nil }
        let most = signs[(start + 1)...].prefix(longest)
        return most.firstIndex(of: quote).map { $0 + 1 }
    }

    private static func pastSpaces(_ signs: [Character], from start: Int) -> Int {
        var place = start
        while place < signs.count, signs[place].isWhitespace { place += 1 }
        return place
    }
}
