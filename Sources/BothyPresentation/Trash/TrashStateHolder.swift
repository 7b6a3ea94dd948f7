import BothyClient
import BothyContract
import Observation

/// What the trash shows.
public struct TrashState: Equatable, Sendable {
    public struct Row: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        public var kind: FileKind
        /// «1.2 MB»; empty for a folder.
        public var size: String
        /// Where it was: «Files / Letters».
        public var place: String
        /// «put here 20 Nov, goes in 12 days».
        public var stay: String
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var rows = [Row]()
    /// Of the whole trash.
    public var total = 0
    /// Where the next page begins.
    public var next: String?
    public var notice: Notice?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && rows.isEmpty && next == nil }
}

/// The trash, and the ways out of it.
@MainActor @Observable
public final class TrashStateHolder {
    /// Rows of a page; and the most, for a person who chooses all that is shown.
    public nonisolated static let (pageSize, largestPage) = (200, 1000)

    public private(set) var state = TrashState()

    @ObservationIgnored private let trash: any TrashRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ trash: any TrashRepository, words: Words, clock: PersonsClock) {
        self.trash = trash
        self.words = words
        self.clock = clock
    }

    /// Shows the page that begins there; the first for nil.
    ///
    /// - Parameter limit: rows, at most ``largestPage``.
    public func open(after place: String? = nil, limit: Int = pageSize) async {
        do {
            let page = try await trash.page(after: place, limit: min(limit, Self.largestPage))
            state.rows = page.items.map(row)
            state.total = page.total
            state.next = page.next
            state.standing = .shown
        } catch {
            if state.standing == .shown {
                state.notice = words.failure(error)
            } else {
                state.standing = .failed(words.failure(error))
            }
        }
    }

    public func bringBack(_ ids: [ItemID]) async {
        await each(ids, saying: words.broughtBack) { try await $0.bringBack($1) }
    }

    /// Without a way back: the caller has asked the person.
    public func deleteForGood(_ ids: [ItemID]) async {
        await each(ids, saying: words.deleted) { try await $0.deleteForGood($1) }
    }

    /// Of the whole trash, however much is in it.
    ///
    /// - Parameters:
    ///   - moment: when the person chose all; what has come since stays.
    ///   - exceptions: what the person took out of the choice.
    public func bringBackAll(until moment: Timestamp, but exceptions: Set<ItemID> = []) async {
        await withAll(until: moment, but: exceptions) { await bringBack($0) }
    }

    /// As ``bringBackAll(until:but:)``; without a way back: the caller has asked the person.
    public func deleteAllForGood(until moment: Timestamp, but exceptions: Set<ItemID> = []) async {
        if exceptions.isEmpty { return await empty(until: moment) }
        await withAll(until: moment, but: exceptions) { await deleteForGood($0) }
    }

    private func withAll(
        until moment: Timestamp, but exceptions: Set<ItemID>, _ act: ([ItemID]) async -> Void
    ) async {
        do {
            var (ids, place): ([ItemID], String?) = ([], nil)
            repeat {
                let page = try await trash.page(after: place, limit: Self.largestPage)
                ids += page.items.filter { $0.trashedAt <= moment && !exceptions.contains($0.id) }.map(\.id)
                place = page.next
            } while place != nil
            await act(ids)
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// Without a way back: the caller has asked the person.
    ///
    /// - Parameter moment: when the person was asked; what has come since stays.
    public func empty(until moment: Timestamp) async {
        do {
            let count = try await trash.empty(until: moment)
            if state.standing == .shown { await open() }
            state.notice = Notice(words.deleted(count))
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func each(
        _ ids: [ItemID], saying: (Int) -> String, _ act: (any TrashRepository, ItemID) async throws -> Void
    ) async {
        guard !ids.isEmpty else {
            state.notice = Notice(words[.chooseFirst], tone: .failure)
            return
        }
        var done = Set<ItemID>()
        var failure: Notice?
        for id in ids {
            do {
                try await act(trash, id)
                done.insert(id)
            } catch {
                failure = failure ?? refused(error)
            }
        }
        state.total -= state.rows.count { done.contains($0.id) }
        state.rows.removeAll { done.contains($0.id) }
        state.notice = failure ?? Notice(saying(done.count))
    }

    private func refused(_ error: any Error) -> Notice {
        guard (error as? ClientFailure)?.code == .notFound else { return words.failure(error) }
        return Notice(words[.trashGone], tone: .failure)
    }

    private func row(_ trashed: TrashItem) -> TrashState.Row {
        TrashState.Row(
            id: trashed.id, name: ShownName.of(trashed.item.name), kind: FileKind(trashed.item),
            size: trashed.item.isFolder ? "" : words.size(trashed.item.size),
            place: words.place(trashed.above),
            stay: words.inTrash(since: trashed.trashedAt, until: trashed.leavesAt, at: clock))
    }
}
