import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

/// People who are what a test says.
private final class MadeUpPeople: PeopleRepository {
    private struct State {
        var people = [Person]()
        var done = [String]()
        var failure: ClientFailure?
    }

    private let state: Mutex<State>

    init(_ people: [Person]) { state = Mutex(State(people: people)) }

    var done: [String] { state.withLock { $0.done } }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

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
    func person(_ id: Int64) async throws -> Person {
        try act("person \(id)")
        guard let person = state.withLock({ $0.people.first { $0.id == id } }) else {
            throw ClientFailure(.notFound, "Nobody.")
        }
        return person
    }
    func person(handle: Handle) async throws -> Person? {
        state.withLock { $0.people.first { $0.handle == handle.text } }
    }
    func you() async throws -> Person { try await person(1) }
    func picture(of person: Int64) async throws -> ContentPlace { .address(Person.picture(of: person)) }
    func update(_ update: ProfileUpdate) async throws -> Person {
        try act("update \(update.handle ?? "-")")
        return try await person(1)
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

@MainActor @Suite struct ProfileStateHolderTests {
    private let people = MadeUpPeople([
        Person(
            id: 1, name: "Ann\u{202E} Lee", handle: "ann", bio: "Walks.", following: false, followsYou: false,
            isYou: true, counts: Person.Counts(posts: 1, followers: 2, following: 1_000))
    ])

    private func holder() -> ProfileStateHolder { ProfileStateHolder(people, words: .english) }

    @Test func aProfileSaysWhoSheIsAndHowMuchThereIs() async throws {
        let holder = holder()
        await holder.open(1)
        let person = try #require(holder.state.person)
        #expect(person.name == "Ann⟨U+202E⟩ Lee" && person.handle == "@ann" && person.face.text == "AL")
        #expect(holder.state.counts == ["1 post", "2 followers", "1,000 followed"])
    }

    @Test func nobodyIsSaidToBeMissing() async {
        let (one, other) = (holder(), holder())
        await one.open(2)
        #expect(one.state.standing == .missing)
        #expect(await other.find(handle: "@a b") == nil)
        #expect(other.state.standing == .missing)
        #expect(await holder().find(handle: "@Ann") == 1)
    }

    @Test func whatIsRefusedStaysAsItWasTyped() async {
        let holder = holder()
        await holder.openYou()
        #expect(holder.state.typed == ProfileState.Typed(name: "Ann\u{202E} Lee", handle: "ann", bio: "Walks."))
        people.fail(with: ClientFailure(.nameConflict, "Somebody else is “@ben” already."))
        let typed = ProfileState.Typed(name: "Ann", handle: "ben", bio: "x", approves: true)
        await holder.save(typed)
        #expect(holder.state.typed == typed && !holder.state.isSaved && holder.state.notice?.tone == .failure)
        people.fail(with: nil)
        await holder.save(typed)
        #expect(holder.state.isSaved)
    }

    @Test func aListIsSearchedAndWhoIsAskedIsToldSo() async {
        let holder = PeopleStateHolder(people, words: .english)
        await holder.open(search: "  an ", .followers)
        #expect(people.done == ["page an followers"])
        #expect(holder.state.rows.map(\.note) == ["that is you"] && !holder.state.isAlone && !holder.state.isNobody)
        await holder.open(search: "  ")
        #expect(people.done.last == "page - -" && holder.state.isAlone)
        await holder.setFollowing(true, 5, name: "Ben")
        #expect(holder.state.notice?.text == "Ben is asked. You follow once that is accepted.")
    }
}
