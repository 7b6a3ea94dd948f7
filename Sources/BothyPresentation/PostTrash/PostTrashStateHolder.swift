import BothyClient
import BothyContract
import Observation

/// What the list of deleted posts shows.
public struct PostTrashState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    /// The newest post first.
    public var posts = [DeletedPostRow]()
    /// Where the next page begins; nil on the last.
    public var next: String?
    public var isFirst = true
    public var standing = Standing.fresh
    public var notice: Notice?

    public var isEmpty: Bool { standing == .shown && posts.isEmpty && isFirst }
}

/// The posts that a person has deleted, to be restored within 30 days.
@MainActor @Observable
public final class PostTrashStateHolder {
    public private(set) var state = PostTrashState()

    @ObservationIgnored private let trash: any PostTrashRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ trash: any PostTrashRepository, words: Words, clock: PersonsClock) {
        self.trash = trash
        self.words = words
        self.clock = clock
    }

    /// Shows the page that begins there; the first for nil.
    public func open(after place: String? = nil) async {
        do {
            let page = try await trash.page(after: place, limit: FeedLimits.defaultPage)
            state.posts = page.posts.map { DeletedPostRow($0, words: words, clock: clock) }
            (state.next, state.isFirst) = (page.paging.next, place == nil)
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// - Returns: whether it is back.
    @discardableResult
    public func restore(_ id: Int64) async -> Bool {
        await perform(.postRestored) { try await trash.restore(id) }
    }

    public func deleteForGood(_ id: Int64) async {
        await perform(.postDeletedForGood) { try await trash.deleteForGood(id) }
    }

    @discardableResult
    private func perform(_ done: Phrase, _ deed: () async throws -> Void) async -> Bool {
        do {
            try await deed()
            state.notice = Notice(words[done])
            return true
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.notice = Notice(words[.postTrashGone], tone: .failure)
        } catch {
            state.notice = words.failure(error)
        }
        return false
    }
}
