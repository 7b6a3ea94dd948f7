/// Holds the HTML that is written of a post to `docs/post-format.md`. It shares nothing with the reader and the writer that it
/// judges.
struct WrittenPostForm {
    /// An element that has not ended yet.
    private struct Open {
        var name: String
        var isEmpty = true
        /// Of an entry of a list: behind its words.
        var hasList = false
    }

    private let bytes: [UInt8]
    private var place = 0
    private var open = [Open]()
    /// Marks of direction that have begun in this block and not ended.
    private var isolates = 0

    private static let marks = ["a", "strong", "em", "u", "s", "code"]
    private static let wordBlocks: Set = ["p", "h1", "h2", "h3", "pre", "li"]
    private static let mostListsInEachOther = 8
    private static let mostIsolates = 8

    private init(_ html: String) { bytes = Array(html.utf8) }

    /// - Throws: ``FuzzFinding``, with the place of what a post may not have.
    static func check(_ html: String) throws {
        var form = WrittenPostForm(html)
        while form.place < form.bytes.count {
            if form.bytes[form.place] == UInt8(ascii: "<") { try form.tag() } else { try form.words() }
        }
        try form.require(form.open.isEmpty, "an element that never ends")
    }

    private func require(_ holds: Bool, _ words: String) throws {
        guard !holds else { return }
        let near = String(decoding: bytes[max(0, place - 60)..<min(bytes.count, place + 20)], as: UTF8.self)
        throw FuzzFinding("\(words), at \(place): …\(near)…")
    }

    private func isOpen(_ name: String) -> Bool { open.contains { $0.name == name } }

    /// Takes bytes up to one of these.
    private mutating func take(until ends: [UInt8]) -> String {
        let start = place
        while place < bytes.count, !ends.contains(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    // MARK: - Tags

    private mutating func tag() throws {
        place += 1
        let written = take(until: [UInt8(ascii: ">")])
        try require(place < bytes.count, "a tag that never ends")
        place += 1
        if written == "br" {
            try beginWords()
            try require(!isOpen("pre"), "a br in code")
        } else if written.hasPrefix("/") {
            try end(String(written.dropFirst()))
        } else {
            try begin(written)
        }
    }

    private mutating func end(_ name: String) throws {
        try require(open.last?.name == name, "the end of another element than the last that began")
        try require(open.last?.isEmpty == false, "an element without anything in it")
        open.removeLast()
        if !Self.marks.contains(name) { try endWords() }
    }

    private mutating func begin(_ written: String) throws {
        let name = String(written.prefix { $0 != " " })
        try require(name == "a" ? Self.isLink(written) : name == written, "attributes that a post may not have")
        if Self.marks.contains(name) {
            try beginWords(in: name)
        } else {
            try beginBlock(name)
        }
        if !open.isEmpty { open[open.count - 1].isEmpty = false }
        open.append(Open(name: name))
        // HTML drops the first line feed behind it.
        if name == "pre", place < bytes.count, bytes[place] == UInt8(ascii: "\n") { place += 1 }
    }

    private mutating func beginBlock(_ name: String) throws {
        try endWords()
        let parent = open.last?.name
        switch name {
        case "p": try require(parent == nil || parent == "blockquote", "a paragraph that lies in something")
        case "h1", "h2", "h3", "pre", "blockquote": try require(parent == nil, "a block that lies in something")
        case "li": try require(parent == "ul" || parent == "ol", "an entry of no list")
        case "ul", "ol":
            try require(parent == nil || parent == "li" && open.last?.isEmpty == false, "a list in what is no entry")
            try require(open.count { $0.name == "li" } < Self.mostListsInEachOther, "lists too deep in each other")
            if parent == "li" { open[open.count - 1].hasList = true }
        default: try require(false, "an element that a post may not have")
        }
    }

    // MARK: - Words

    /// - Parameter mark: the element that begins with them; nil for words themselves.
    private mutating func beginWords(in mark: String? = nil) throws {
        let parent = open.last?.name ?? "nothing"
        let rank = mark.flatMap(Self.marks.firstIndex) ?? Self.marks.count
        let isInMark = Self.marks.firstIndex(of: parent).map { $0 < rank } ?? false
        try require(isInMark || Self.wordBlocks.contains(parent), "words in no block, or marks in another order")
        try require(open.last?.hasList != true, "words behind the list of an entry")
        try require(mark != "code" || !isOpen("pre"), "a mark of code in code")
        open[open.count - 1].isEmpty = false
    }

    /// The words of a block are over.
    private func endWords() throws {
        try require(isolates == 0, "words that keep their direction beyond their block")
    }

    private mutating func words() throws {
        try beginWords()
        let text = take(until: [UInt8(ascii: "<")])
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "&" {
                let name = rest.prefix { $0 != ";" }
                try require(Self.references.contains(String(name)), "a character reference that is not written")
                rest = rest.dropFirst(name.count + 1)
            } else {
                try require(!">\"'".unicodeScalars.contains(scalar), "a character that is written as a reference")
                try take(scalar)
            }
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) throws {
        switch scalar.value {
        case 0x0A, 0x09: try require(isOpen("pre"), "a line or a tab in what is no code")
        case 0x202A...0x202E, 0x2028, 0x2029, 0xFFFE, 0xFFFF: try require(false, "a character that acts")
        case 0x2066...0x2068: isolates += 1
        case 0x2069: isolates -= 1
        default: try require(scalar.properties.generalCategory != .control, "a control character")
        }
        try require((0...Self.mostIsolates).contains(isolates), "marks of direction that do not match")
    }

    private static let references: Set = ["amp", "lt", "gt", "quot", "#39"]

    // MARK: - Links

    private static func isLink(_ written: String) -> Bool {
        let parts = written.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "a href=", parts[4].isEmpty else { return false }
        let address = parts[1]
        switch (parts[2], parts[3]) {
        case (" rel=", "nofollow noopener noreferrer ugc"): return isOfWebOrMail(address)
        case (" class=", "mention"): return stands(address, "/people/") { ("0"..."9").contains($0) }
        case (" class=", "hashtag"):
            return stands(address, "/feed/tags/") {
                $0 == "_" || $0 == "%" || $0.isASCII && ($0.isLetter || $0.isNumber)
            }
        default: return false
        }
    }

    private static func isOfWebOrMail(_ address: Substring) -> Bool {
        let isVisible = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>'".utf8.contains($0) }
        let references = address.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
        return isVisible && references.allSatisfy { $0.hasPrefix("amp;") || $0.hasPrefix("#39;") }
            && ["https://", "http://", "mailto:"].contains { address.hasPrefix($0) && address.count > $0.count }
    }

    private static func stands(_ address: Substring, _ start: String, _ isPart: (Character) -> Bool) -> Bool {
        address.hasPrefix(start) && address.count > start.count && address.dropFirst(start.count).allSatisfy(isPart)
    }
}
