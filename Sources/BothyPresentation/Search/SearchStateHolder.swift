import BothyClient
import BothyContract
import Observation

/// What a search shows.
public struct SearchState: Equatable, Sendable {
    /// A stretch of a name.
    public struct Stretch: Equatable, Sendable {
        public var text: String
        /// It is what was searched for.
        public var isFound: Bool

        public init(_ text: String, isFound: Bool) {
            self.text = text
            self.isFound = isFound
        }
    }

    public struct Row: Equatable, Sendable, Identifiable {
        public var id: ItemID
        /// The name, stretch by stretch.
        public var name: [Stretch]
        public var kind: FileKind
        /// «1.2 MB»; empty for a folder.
        public var size: String
        public var modified: String
        /// Of its text around what was found, on one line; empty where the name answers.
        public var excerpt: [Stretch]
        /// Where it lies: «Files / Letters».
        public var place: String
        /// The folder that it lies in.
        public var folder: ItemID
        public var starred: Bool
        /// «On this device», «On the server»; nil where that makes no difference.
        public var whereabouts: String?

        public var isFolder: Bool { kind == .folder }
    }

    /// Whether what stands in texts was searched, too.
    public enum Texts: Equatable, Sendable {
        case searched
        /// The names are shown; the server is asked for texts.
        case asked
        /// In words: why only names were searched.
        case unsearched(String)
    }

    public enum Standing: Equatable, Sendable {
        /// Nothing was searched for yet.
        case fresh
        /// What was typed has neither letters nor digits, by which alone a search goes.
        case wordless
        case shown
        case failed(Notice)
    }

    public var query = ""
    public var rows = [Row]()
    /// There may be more than is shown: more words would find it.
    public var isCut = false
    public var texts = Texts.searched
    public var standing = Standing.fresh

    /// Nothing is called so, or has such a text, as far as could be searched.
    public var isEmpty: Bool { hasNothing && texts != .asked && !isBehind }
    /// Nothing was found, and what came last was not looked through yet.
    public var isBehind: Bool { hasNothing && isCut && texts == .searched }

    /// There is more than is shown, and it is not about to be.
    public var hasMore: Bool { isCut && !isBehind && texts != .asked }

    private var hasNothing: Bool { standing == .shown && rows.isEmpty }
}

/// Searching as a person types.
@MainActor @Observable
public final class SearchStateHolder {
    /// Results that are shown.
    public nonisolated static let most = 50

    public private(set) var state = SearchState()

    @ObservationIgnored private let searching: any FileSearching
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock
    /// Counts what was typed, so that a late answer to less does not replace the answer to more.
    @ObservationIgnored private var turn = 0

    public init(_ searching: any FileSearching, words: Words, clock: PersonsClock) {
        self.searching = searching
        self.words = words
        self.clock = clock
    }

    /// Shows what is found; what was found before stays until then. Names that are known where this runs are shown at once, and
    /// do not wait for what the server says.
    ///
    /// - Parameter reach: how far; where it is not everywhere, the screen asks again.
    public func search(_ text: String, reach: SearchReach = .everywhere) async {
        turn += 1
        let asked = turn
        state.query = text
        let terms = NameWords.terms(of: text)
        guard !terms.isEmpty else {
            let isBlank = text.allSatisfy(\.isWhitespace)
            state = SearchState(query: text, standing: isBlank ? .fresh : .wordless)
            return
        }
        do {
            let known = try await searching.find(text, limit: Self.most, reach: .here)
            guard asked == turn else { return }
            show(known, terms)
            if reach == .everywhere, known.texts == .unasked { await searchFurther(text, terms, asked) }
        } catch {
            guard asked == turn else { return }
            state.rows = []
            state.standing = .failed(words.failure(error))
        }
    }

    /// Whatever comes of it, what was found stays.
    private func searchFurther(_ text: String, _ terms: [String], _ asked: Int) async {
        do {
            let all = try await searching.find(text, limit: Self.most, reach: .everywhere)
            if asked == turn { show(all, terms) }
        } catch {
            if asked == turn { state.texts = unsearched(error) }
        }
    }

    private func show(_ findings: SearchFindings, _ terms: [String]) {
        state.rows = findings.items.map { row($0, terms) }
        state.isCut = !findings.isComplete
        state.standing = .shown
        state.texts =
            switch findings.texts {
            case .searched: .searched
            case .unasked: .asked
            case .unanswered(let failure): unsearched(failure)
            }
    }

    private func unsearched(_ error: any Error) -> SearchState.Texts {
        .unsearched(words.filled(.searchNamesOnly, words.failure(error).text))
    }

    private func row(_ found: FoundItem, _ terms: [String]) -> SearchState.Row {
        let item = found.item
        return SearchState.Row(
            id: item.id, name: Self.stretches(of: item.name, terms), kind: FileKind(item),
            size: item.isFolder ? "" : words.size(item.size), modified: words.date(item.modifiedAt, at: clock),
            excerpt: excerpt(of: found),
            place: words.place(found.above), folder: found.folder, starred: item.starred,
            whereabouts: found.isAtHand.map { words[$0 ? .foundHere : .foundThere] })
    }

    private func excerpt(of found: FoundItem) -> [SearchState.Stretch] {
        guard found.match == .text else { return [] }
        if found.excerpt.isEmpty { return [.init(words[.foundInText], isFound: false)] }
        return found.excerpt.map { .init(ShownName.of($0.text), isFound: $0.isFound) }
    }

    private static func stretches(of name: String, _ terms: [String]) -> [SearchState.Stretch] {
        var stretches = [SearchState.Stretch]()
        var place = name.startIndex
        func add(to end: String.Index, isFound: Bool) {
            if place < end { stretches.append(.init(ShownName.of(String(name[place..<end])), isFound: isFound)) }
            place = end
        }
        for range in NameWords.marks(of: terms, in: name) {
            add(to: range.lowerBound, isFound: false)
            add(to: range.upperBound, isFound: true)
        }
        add(to: name.endIndex, isFound: false)
        return stretches
    }
}
