import BothyClient
import BothyContract
import BothyPresentation
import Testing

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

    @Test func whatIsKnownFromBeforeSaysSo() async {
        let holder = holder()
        people.lose(by: ClientFailure(.offline, "Nobody answers."))
        await holder.open(1)
        #expect(holder.state.person != nil && holder.state.staleness == Words.english[.feedKept])
        people.lose(by: nil)
        await holder.open(1)
        #expect(holder.state.staleness == nil)
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
        #expect(holder.state.notice?.text == "You have asked to follow Ben. You follow once they accept.")
    }
}
