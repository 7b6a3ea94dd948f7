import BothyContent
import BothyContract

/// What the people of a world did with contents: by it the end of a world is judged, and by nothing that an engine says.
package struct Ledger: Sendable {
    struct Story: Sendable {
        var words: String
        var isUnique = false
        /// How often a person wrote it: copies count.
        var written = 0
        /// How often a person deleted or overwrote it, having it before their eyes.
        var removed = 0
        /// A person renamed, moved or restored it: who wins then is the policy's matter.
        var touched = false
        /// A power cut took it, or brought it back.
        var shaken = false
        /// A person deleted it for good on the server, or it lay in what was: nothing needs to be left of it.
        var purged = false
    }

    private(set) var stories: [ContentHash: Story] = [:]
    /// False while some device has to link anew: absence is no deletion to it, so what is deleted meanwhile may come back.
    var deletionsCount = true {
        didSet {
            guard !deletionsCount else { return }
            for hash in stories.keys where stories[hash]?.removed != 0 { stories[hash]?.touched = true }
        }
    }

    package init() {}

    mutating func wrote(_ content: Content) {
        let hash = SHA256Hasher.hash(content.bytes)
        var story = stories[hash] ?? Story(words: content.words)
        if case .unique = content { story.isUnique = true }
        story.written += 1
        stories[hash] = story
    }

    mutating func copied(_ bytes: [UInt8]) { change(bytes) { $0.written += 1 } }
    mutating func removed(_ bytes: [UInt8]) {
        let counts = deletionsCount
        change(bytes) { story in
            story.removed += 1
            if !counts { story.touched = true }
        }
    }
    mutating func touched(_ bytes: [UInt8]) { change(bytes) { $0.touched = true } }
    mutating func purged(_ hash: ContentHash) { stories[hash]?.purged = true }

    /// What a power cut took away or brought back is nobody's wish.
    mutating func shaken(_ hash: ContentHash) { stories[hash]?.shaken = true }

    private mutating func change(_ bytes: [UInt8], _ body: (inout Story) -> Void) {
        let hash = SHA256Hasher.hash(bytes)
        guard stories[hash] != nil else { return }
        body(&stories[hash, default: Story(words: "")])
    }

    func words(_ hash: ContentHash) -> String { stories[hash]?.words ?? String(hash.hex.prefix(8)) }

    /// Somebody wrote it, and nobody ever took it away: it must be there, where a person finds it.
    var wanted: [ContentHash] {
        stories.filter { $0.value.removed == 0 && !$0.value.shaken && !$0.value.purged }.map(\.key).sorted()
    }

    /// Written once, taken away by a person, and not otherwise touched: it must not come back.
    var deleted: [ContentHash] {
        stories.filter {
            $0.value.isUnique && $0.value.written == 1 && $0.value.removed > 0 && !$0.value.touched && !$0.value.shaken
        }
        .map(\.key).sorted()
    }

    /// Somebody wrote it, and nobody deleted it for good.
    func isToBeKept(_ hash: ContentHash) -> Bool { stories[hash].map { !$0.purged } ?? false }
}

extension [ContentHash] {
    fileprivate func sorted() -> [ContentHash] { sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
}
