import BothyClient
import BothyContract
import Synchronization

/// People who are what a test says.
final class MadeUpPeople: PeopleRepository {
    private struct State {
        var people = [Person]()
        var done = [String]()
        var failure: ClientFailure?
        var unreached: ClientFailure?
    }

    private let state: Mutex<State>

    init(_ people: [Person]) { state = Mutex(State(people: people)) }

    var done: [String] { state.withLock { $0.done } }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    /// What is known of them is of before.
    func lose(by failure: ClientFailure?) { state.withLock { $0.unreached = failure } }

    private func act(_ deed: String) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.done.append(deed)
        }
    }

    func page(
        matching search: String?, _ relation: PersonRelation?, after place: String?, limit: Int
    ) async throws -> PeoplePage {
        try act("page \(search ?? "-") \(relation?.rawValue ?? "-")")
        return PeoplePage(people: state.withLock { $0.people }, next: nil)
    }
    func person(_ id: Int64) async throws -> Known<Person> {
        try act("person \(id)")
        guard let person = state.withLock({ $0.people.first { $0.id == id } }) else {
            throw ClientFailure(.notFound, "Nobody.")
        }
        return Known(person, unreached: state.withLock { $0.unreached })
    }
    func person(handle: Handle) async throws -> Person? {
        state.withLock { $0.people.first { $0.handle == handle.text } }
    }
    func you() async throws -> Known<Person> { try await person(1) }
    func picture(of person: Int64) async throws -> ContentPlace { .address(Person.picture(of: person)) }
    func update(_ update: ProfileUpdate) async throws -> Person {
        try act("update \(update.handle ?? "-")")
        return try await person(1).value
    }
    func invite() async throws -> InviteResponse { InviteResponse(invite: "code", expiresIn: 1) }
    func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws -> Bool {
        try act("\(isFollowing ? "follow" : "unfollow") \(person)")
        return false
    }
    func answer(_ isAccepted: Bool, to person: Int64) async throws { try act("answer \(isAccepted) \(person)") }
    func remove(follower person: Int64) async throws { try act("remove \(person)") }
    func setMuted(_ isMuted: Bool, _ person: Int64) async throws { try act("mute \(isMuted) \(person)") }
    func setBlocked(_ isBlocked: Bool, _ person: Int64) async throws { try act("block \(isBlocked) \(person)") }
    func report(_ post: Int64, because reason: String) async throws { try act("report \(post)") }
}
