import BothyClient
import BothyContract
import Observation

/// What the list of posts that wait for their time shows.
public struct ScheduledPostsState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    /// The next one first.
    public var posts = [ScheduledRow]()
    /// Why it may not be all; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh
    public var notice: Notice?

    public var isEmpty: Bool { standing == .shown && posts.isEmpty }
}

/// The posts of a person that wait for their time.
@MainActor @Observable
public final class ScheduledPostsStateHolder {
    public private(set) var state = ScheduledPostsState()

    @ObservationIgnored private let posts: any ScheduledPostsRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ posts: any ScheduledPostsRepository, words: Words, clock: PersonsClock) {
        self.posts = posts
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            let known = try await posts.all()
            state.posts = known.value.map { ScheduledRow($0, words: words, clock: clock) }
            state.staleness = known.unreached.map(words.staleness)
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// - Parameter typed: as ``PostTime`` reads it.
    public func move(_ id: Int64, to typed: String) async {
        switch PostTime(typed, at: clock) {
        case .at(let time):
            await perform {
                try await posts.move(id, to: time)
            } saying: {
                words.filled(.scheduledMoved, words.moment(time, at: clock))
            }
        case .over: state.notice = Notice(words[.scheduledOver], tone: .failure)
        case .atOnce, .unreadable: state.notice = Notice(words[.scheduledUnreadable], tone: .failure)
        }
    }

    public func postNow(_ id: Int64) async {
        await perform {
            try await posts.move(id, to: clock.now)
        } saying: {
            words[.postPublished]
        }
    }

    public func delete(_ id: Int64) async {
        await perform {
            try await posts.delete(id)
        } saying: {
            words[.scheduledDeleted]
        }
    }

    private func perform(_ deed: () async throws -> Void, saying done: () -> String) async {
        do {
            try await deed()
            state.notice = Notice(done())
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.notice = Notice(words[.scheduledGone])
        } catch {
            state.notice = words.failure(error)
        }
    }
}
