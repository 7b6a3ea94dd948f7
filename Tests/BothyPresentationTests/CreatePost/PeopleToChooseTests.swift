import BothyClient
import BothyContract
import Testing

@testable import BothyPresentation

/// Whoever was chosen stays to be seen, whomever somebody looks for.
@Suite struct PeopleToChooseTests {
    private let people = MadeUpPeople([
        Person(id: 1, name: "You", handle: "you", following: false, followsYou: false, isYou: true),
        Person(id: 2, name: "Ann", handle: "ann", following: false, followsYou: false, isYou: false),
        Person(id: 3, name: "Ben\u{202E}", handle: "ben", following: false, followsYou: false, isYou: false),
    ])

    private func person(_ id: Int64, _ name: String, isChosen: Bool = false) -> AudienceChoice.Person {
        AudienceChoice.Person(id: id, name: name, isChosen: isChosen)
    }

    @Test func withoutASearchWhoIsOfferedIsListedAndNobodyIsAsked() async throws {
        let choice = try await PeopleToChoose.find("", chosen: [7], offered: [person(7, "Cleo")], in: people)
        #expect(choice.people == [person(7, "Cleo", isChosen: true)] && people.done.isEmpty)
    }

    @Test func whoIsChosenStandsAboveWhoIsFound() async throws {
        let choice = try await PeopleToChoose.find(
            "b", chosen: [7, 3], offered: [person(7, "Cleo"), person(8, "Dan")], in: people)
        #expect(
            choice.people == [
                person(7, "Cleo", isChosen: true), person(2, "Ann"), person(3, "Ben⟨U+202E⟩", isChosen: true),
            ])
        #expect(choice.typed == "b" && !choice.isNobody)
    }

    @Test func whoIsChosenAndOfferedNowhereIsAskedForByNumber() async throws {
        let choice = try await PeopleToChoose.find("", chosen: [2, 99], offered: [person(8, "Dan")], in: people)
        #expect(choice.people == [person(2, "Ann", isChosen: true), person(8, "Dan")], "and who has left is gone")
    }

    @Test func withoutAnAnswerWhoIsChosenStaysByNumber() {
        let choice = PeopleToChoose.unfound(
            "b", chosen: [99, 8], offered: [person(7, "Cleo", isChosen: true), person(8, "Dan"), person(9, "Eve")])
        #expect(
            choice.people == [
                person(99, "99", isChosen: true), person(7, "Cleo", isChosen: true), person(8, "Dan", isChosen: true),
                person(9, "Eve"),
            ])
        #expect(choice.typed == "b" && !choice.isNobody)
    }

    @Test func whereNobodyIsFoundThatIsSaidAndWhoIsChosenStays() async throws {
        let nobody = MadeUpPeople([])
        let choice = try await PeopleToChoose.find(
            "zzz", chosen: [], offered: [person(7, "Cleo", isChosen: true)], in: nobody)
        #expect(choice.isNobody && choice.people == [person(7, "Cleo", isChosen: true)])
    }
}
