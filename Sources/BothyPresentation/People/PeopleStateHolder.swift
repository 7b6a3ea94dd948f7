import BothyClient
import BothyContract
import Observation

/// What the list of people shows.
public struct PeopleState: Equatable, Sendable {
    public struct Row: Equatable, Sendable, Identifiable {
        public var id: Int64
        public var name: String
        /// The first letter of the name, in place of a picture.
        public var initial: String
        public var isYou: Bool
        public var isFollowed: Bool
        /// «follows you», «that is you»; nil for neither.
        public var note: String?
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        /// There is nobody with that number.
        case missing
        /// Who is here is the server's to say, and it does not answer.
        case away(Notice)
        case failed(Notice)
    }

    public var rows = [Row]()
    /// Where the next page begins.
    public var next: String?
    public var isFirst = true
    public var standing = Standing.fresh
    public var notice: Notice?

    /// Nobody else has an account here.
    public var isAlone: Bool { standing == .shown && isFirst && next == nil && rows.allSatisfy(\.isYou) }
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
    public func open(after place: String? = nil) async {
        do {
            let page = try await people.page(after: place, limit: Self.pageSize)
            state.rows = page.people.map(row)
            state.next = page.next
            state.isFirst = place == nil
            state.standing = .shown
        } catch let failure as ClientFailure where failure.needsConnection {
            state.standing = .away(words.failure(failure))
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// Shows one of them alone.
    public func open(person id: Int64) async {
        do {
            state.rows = [row(try await people.person(id))]
            state.standing = .shown
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.standing = .missing
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// - Parameter name: as it was shown, to be said again.
    public func setFollowing(_ isFollowing: Bool, _ person: Int64, name: String) async {
        do {
            try await people.setFollowing(isFollowing, person)
            state.notice = Notice(words.filled(isFollowing ? .followed : .unfollowed, ShownName.of(name)))
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func row(_ person: Person) -> PeopleState.Row {
        let name = ShownName.of(person.name)
        return PeopleState.Row(
            id: person.id, name: name, initial: name.first.map { String($0).uppercased() } ?? "?",
            isYou: person.isYou, isFollowed: person.following,
            note: person.isYou ? words[.thatIsYou] : person.followsYou ? words[.followsYou] : nil)
    }
}
