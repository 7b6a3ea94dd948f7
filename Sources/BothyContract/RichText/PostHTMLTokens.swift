/// The words and tags of a post's HTML, one after the other: one walk along it, whatever is in it.
struct PostHTMLTokens {
    enum Token: Equatable {
        case text(String)
        /// - Parameters:
        ///   - href: where an element of that kind leads.
        ///   - kind: its class.
        case begin(name: String, href: String?, kind: String?)
        case end(name: String)
    }

    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ html: String) { scalars = Array(html.unicodeScalars) }

    mutating func next() -> Token? {
        while place < scalars.count {
            guard scalars[place] == "<" else { return .text(text()) }
            switch peek(1) {
            case "!" where peek(2) == "-" && peek(3) == "-": skip(past: ["-", "-", ">"], from: place + 2)
            case "!", "?": skip(past: [">"], from: place + 2)
            case "/" where peek(2).map(Self.isLetter) ?? false: return end()
            case "/": skip(past: [">"], from: place + 2)
            case let letter? where Self.isLetter(letter): if let token = begin() { return token }
            default:
                place += 1
                return .text("<")
            }
        }
        return nil
    }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        place + distance < scalars.count ? scalars[place + distance] : nil
    }

    private mutating func text() -> String {
        let start = place
        while place < scalars.count, scalars[place] != "<" { place += 1 }
        return PostHTMLEntities.decoded(scalars[start..<place])
    }

    private mutating func skip(past mark: [Unicode.Scalar], from start: Int) {
        var index = min(start, scalars.count)
        while index < scalars.count, !scalars[index...].starts(with: mark) { index += 1 }
        place = min(index + mark.count, scalars.count)
    }

    // MARK: - Tags

    private mutating func name() -> String {
        var name = ""
        while place < scalars.count, !Self.isSpace(scalars[place]), scalars[place] != "/", scalars[place] != ">" {
            // None that is known here is longer.
            if name.utf8.count < Self.longestName { name.unicodeScalars.append(scalars[place]) }
            place += 1
        }
        return name.lowercased()
    }

    private mutating func end() -> Token {
        place += 2
        let name = name()
        skip(past: [">"], from: place)
        return .end(name: name)
    }

    /// - Returns: nil for what is dropped with all that is in it, and for a tag that never ends.
    private mutating func begin() -> Token? {
        place += 1
        let name = name()
        var (href, kind): (String?, String?)
        while place < scalars.count, scalars[place] != ">" {
            if Self.isSpace(scalars[place]) || scalars[place] == "/" || scalars[place] == "=" {
                place += 1
                continue
            }
            let (attribute, value) = attribute()
            // Of two of one name, the first counts.
            if attribute == "href", href == nil { href = value }
            if attribute == "class", kind == nil { kind = value }
        }
        guard place < scalars.count else { return nil }
        place += 1
        guard !Self.dropped.contains(name) else {
            skipContent(of: name)
            return nil
        }
        return .begin(name: name, href: href, kind: kind)
    }

    private mutating func attribute() -> (name: String, value: String) {
        let start = place
        while place < scalars.count, !Self.isSpace(scalars[place]), !["/", ">", "="].contains(scalars[place]) {
            place += 1
        }
        let name = String(String.UnicodeScalarView(scalars[start..<place])).lowercased()
        while place < scalars.count, Self.isSpace(scalars[place]) { place += 1 }
        guard peek(0) == "=" else { return (name, "") }
        place += 1
        while place < scalars.count, Self.isSpace(scalars[place]) { place += 1 }
        return (name, value())
    }

    private mutating func value() -> String {
        guard let quote = peek(0), quote == "\"" || quote == "'" else {
            let start = place
            while place < scalars.count, !Self.isSpace(scalars[place]), scalars[place] != ">" { place += 1 }
            return PostHTMLEntities.decoded(scalars[start..<place])
        }
        place += 1
        let start = place
        while place < scalars.count, scalars[place] != quote { place += 1 }
        defer { place = min(place + 1, scalars.count) }
        return PostHTMLEntities.decoded(scalars[start..<place])
    }

    /// To the end tag of that name, or to the end.
    private mutating func skipContent(of name: String) {
        let mark = Array("</\(name)".unicodeScalars)
        while place < scalars.count {
            let isEnd =
                scalars[place] == "<" && place + mark.count <= scalars.count
                && zip(mark, scalars[place...]).allSatisfy { $0 == $1 || $0 == Self.lowercase($1) }
            if isEnd { return skip(past: [">"], from: place) }
            place += 1
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(scalar.value)
    }

    private static func lowercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar
    }

    private static let longestName = 32

    /// Elements whose content is no text of the post.
    private static let dropped: Set = [
        "script", "style", "iframe", "svg", "math", "template", "title", "textarea", "noscript", "object", "select",
        "xmp",
        "noembed", "noframes", "plaintext", "audio", "video", "canvas", "head", "button",
    ]
}
