/// Finds where a text names people and hashtags: `@handle` and `#tag`, where a word begins, but not in code and not in links.
public enum PostNaming {
    /// People whom one text can name; those beyond are words like any other.
    public static let mostPeople = 50
    /// Hashtags that one text can have.
    public static let mostTags = 50
    /// Characters of a handle.
    private static let (shortestHandle, longestHandle) = (2, 30)

    /// The handles that a text has behind an “@”, in small letters, each once, in their order. Whether there is anybody of that
    /// handle, the server knows.
    public static func handles(in text: PostText) -> [String] {
        var found = [String]()
        for run in text.blocks.flatMap(pieces) {
            guard case .handle(let handle) = run.name, !found.contains(handle) else { continue }
            found.append(handle)
            if found.count == mostPeople { break }
        }
        return found
    }

    /// The text with a reference at each name of somebody and at each tag, and with none that it came with.
    ///
    /// - Parameter people: by their handles in small letters.
    public static func named(_ text: PostText, people: [String: Int64]) -> PostText {
        var tags = Set<String>()
        return PostText(
            text.blocks.map { block in
                var named = block
                named.runs = pieces(of: block).map { piece in
                    var run = piece.run
                    switch piece.name {
                    case .handle(let handle): run.reference = people[handle].map { .mention(person: $0) }
                    case .tag(let tag):
                        guard tags.contains(tag) || tags.count < mostTags else { break }
                        tags.insert(tag)
                        run.reference = .hashtag(tag: tag)
                    case nil: break
                    }
                    return run
                }
                return named
            })
    }

    private enum Name {
        case handle(String), tag(String)
    }

    private typealias Piece = (run: PostText.Run, name: Name?)

    /// The runs of a block, cut where a name begins and ends.
    private static func pieces(of block: PostText.Block) -> [Piece] {
        var (pieces, before) = ([Piece](), nil as Character?)
        let bare = PostRuns.tidied(
            block.runs.map { run in
                var run = run
                run.reference = nil
                return run
            }, keepingSpaces: block.kind == .code)
        for run in bare {
            if run.isCode || run.link != nil || block.kind == .code {
                pieces.append((run, nil))
            } else {
                cut(run, after: before, into: &pieces)
            }
            before = run.text.last
        }
        return pieces
    }

    private static func cut(_ run: PostText.Run, after first: Character?, into pieces: inout [Piece]) {
        var (plain, before) = ("", first)
        var rest = run.text[...]
        while let sign = rest.first {
            if sign == "@" || sign == "#", before.map(mayStandBefore) ?? true, let (name, text) = name(at: rest) {
                if !plain.isEmpty { pieces.append((PostText.Run(plain, of: run), nil)) }
                pieces.append((PostText.Run(String(text), of: run), name))
                plain = ""
                before = text.last
                rest = rest[text.endIndex...]
            } else {
                plain.append(sign)
                before = sign
                rest.removeFirst()
            }
        }
        if !plain.isEmpty { pieces.append((PostText.Run(plain, of: run), nil)) }
    }

    /// Not within a word, as in an address of mail, nor within an address of the web.
    private static func mayStandBefore(_ character: Character) -> Bool {
        !(PostTag.isPart(character) || "@#/&".contains(character))
    }

    /// - Parameter rest: begins with “@” or “#”.
    private static func name(at rest: Substring) -> (Name, Substring)? {
        if rest.first == "#" {
            let tag = rest.dropFirst().prefix(PostTag.longest + 1).prefix(while: PostTag.isPart)
            guard let folded = PostTag.folded(String(tag)) else { return nil }
            return (.tag(folded), rest[..<tag.endIndex])
        }
        let word = rest.dropFirst().prefix(longestHandle + 1).prefix(while: PostTag.isPart)
        let handle = word.lowercased()
        guard (shortestHandle...longestHandle).contains(handle.utf8.count),
            handle.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || NameWords.kind(ofASCII: $0) != .none })
        else { return nil }
        return (.handle(handle), rest[..<word.endIndex])
    }
}

extension PostText {
    /// The people whom it names, each once, in their order.
    public var mentioned: [Int64] {
        references.compactMap { reference in
            guard case .mention(let person) = reference else { return nil }
            return person
        }
    }

    /// Its hashtags, as ``PostTag/folded(_:)`` has them, each once, in their order.
    public var tags: [String] {
        references.compactMap { reference in
            guard case .hashtag(let tag) = reference else { return nil }
            return tag
        }
    }

    private var references: [PostReference] {
        var known = Set<PostReference>()
        return blocks.flatMap(\.runs).compactMap(\.reference).filter { known.insert($0).inserted }
    }
}
