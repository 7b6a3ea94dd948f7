import BothyClient
import BothyContract
import Observation

/// What a list of notifications shows.
public struct NotificationsState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var rows = [NotificationRow]()
    /// How many were not read when this was asked for.
    public var unread = 0
    /// Where the next page begins.
    public var next: String?
    public var isFirst = true
    /// Why it may not be the newest; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && rows.isEmpty && isFirst }
}

/// What others did that concerns a person.
@MainActor @Observable
public final class NotificationsStateHolder {
    public private(set) var state = NotificationsState()

    @ObservationIgnored private let notifications: any NotificationsRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ notifications: any NotificationsRepository, words: Words, clock: PersonsClock) {
        self.notifications = notifications
        self.words = words
        self.clock = clock
    }

    /// Shows the page that begins there; the first for nil.
    public func open(after place: String? = nil, limit: Int = FeedLimits.defaultPage) async {
        do {
            let page = try await notifications.page(after: place, limit: limit)
            state.rows = page.notifications.compactMap { NotificationRow($0, words: words, clock: clock) }
            (state.unread, state.next, state.isFirst) = (page.unread, page.next, place == nil)
            state.staleness = page.unreached.map(words.staleness)
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// Has what is shown, and all that is older, count as read from now on; the list still shows what is new in it.
    public func readShown() async {
        guard let newest = state.rows.first, state.isFirst, state.unread > 0, state.staleness == nil else { return }
        // What cannot be said now is said when the list is looked at again.
        _ = try? await notifications.read(upTo: newest.id)
    }
}
