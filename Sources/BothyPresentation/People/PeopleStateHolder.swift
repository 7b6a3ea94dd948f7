import BothyClient
import BothyContract
import Foundation
import Observation

/// What the list of people shows.
public struct PeopleState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        /// The server knows who is here, and it does not answer.
        case away(Notice)
        case failed(Notice)
    }

    public var rows = [PersonRow]()
    /// What is searched for; empty for everybody.
    public var search = ""
    /// What they are to oneself; nil for everybody.
    public var relation: PersonRelation?
    /// Where the next page begins.
    public var next: String?
    public var isFirst = true
    /// Why it may not be the newest; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh
    public var notice: Notice?
    /// A code that was just made.
    public var invite: String?

    private var isWhole: Bool { standing == .shown && isFirst && next == nil }

    /// Nobody else has an account here.
    public var isAlone: Bool { isWhole && search.isEmpty && relation == nil && rows.allSatisfy(\.isYou) }

    /// Nobody is called so.
    public var isNobody: Bool { isWhole && !(search.isEmpty && relation == nil) && rows.isEmpty }
}

/// The people of the server, and whom of them a person follows.
@MainActor @Observable
public final class PeopleStateHolder {
    /// People of a page.
    public nonisolated static let pageSize = 100

    public private(set) var state = PeopleState()

    @ObservationIgnored private let people: any PeopleRepository
    @ObservationIgnored private let words: Words

    public init(_ people: any PeopleRepository, words: Words) {
        self.people = people
        self.words = words
    }

    /// Shows the page that begins there; the first for nil.
    ///
    /// - Parameters:
    ///   - search: what names or handles begin with, as it was typed; blanks alone are nothing.
    ///   - relation: what they are to oneself; nil for everybody.
    public func open(after place: String? = nil, search: String = "", _ relation: PersonRelation? = nil) async {
        state.relation = relation
        state.search = search.trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            let page = try await people.page(
                matching: state.search.isEmpty ? nil : state.search, relation, after: place, limit: Self.pageSize)
            state.rows = page.people.map { PersonRow($0, words: words) }
            state.next = page.next
            state.staleness = page.unreached.map(words.staleness)
            state.isFirst = place == nil
            state.standing = .shown
        } catch let failure as ClientFailure where failure.needsConnection {
            state.standing = .away(words.failure(failure))
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// Makes a code that lets one person in.
    public func invite() async {
        do {
            state.invite = try await people.invite().invite
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// - Parameter name: as it was shown, to be said again.
    public func setFollowing(_ isFollowing: Bool, _ person: Int64, name: String) async {
        await act(name) {
            let isDone = try await people.setFollowing(isFollowing, person)
            return isFollowing ? isDone ? .followed : .followAsked : .unfollowed
        }
    }

    /// Lets somebody follow who has asked to, or does not.
    public func answer(_ isAccepted: Bool, to person: Int64, name: String) async {
        await act(name) {
            try await people.answer(isAccepted, to: person)
            return isAccepted ? .followAccepted : .followDenied
        }
    }

    public func remove(follower person: Int64, name: String) async {
        await act(name) {
            try await people.remove(follower: person)
            return .followerRemoved
        }
    }

    public func setMuted(_ isMuted: Bool, _ person: Int64, name: String) async {
        await act(name) {
            try await people.setMuted(isMuted, person)
            return isMuted ? .muteDone : .unmuteDone
        }
    }

    public func setBlocked(_ isBlocked: Bool, _ person: Int64, name: String) async {
        await act(name) {
            try await people.setBlocked(isBlocked, person)
            return isBlocked ? .blockDone : .unblockDone
        }
    }

    private func act(_ name: String, _ act: () async throws -> Phrase) async {
        do {
            state.notice = Notice(words.filled(try await act(), ShownName.of(name)))
        } catch let failure as ClientFailure where failure.needsConnection {
            var notice = words.failure(failure)
            notice.text = words[.connectionNeeded] + " " + notice.text
            state.notice = notice
        } catch {
            state.notice = words.failure(error)
        }
    }
}
