import BothyContract
import Foundation
import Testing

/// A word that only a newer server knows is kept as it came, is none of those that are known, and spoils nothing beside it.
@Suite struct OpenWordTests {
    private func page(_ kind: String, spaced: Bool) throws -> GetChangesResponse {
        let colon = spaced ? ": " : ":"
        let change = "{\"id\"\(colon)\"i\",\"kind\"\(colon)\"\(kind)\",\"removed\"\(colon)false}"
        let json = "{\"changes\":[\(change)],\"cursor\":\"c1.1.2.3\",\"hasMore\":false}"
        return try WireCoding.decode(GetChangesResponse.self, from: Data(json.utf8))
    }

    /// Both ways in which JSON is read: as we write it, and any other.
    @Test(arguments: [false, true])
    func aChangeOfAKindOfTomorrowIsReadWithAllBesideIt(spaced: Bool) throws {
        let told = try page("album", spaced: spaced)
        #expect(told.cursor == "c1.1.2.3" && told.changes.count == 1)
        let kind = told.changes[0].kind
        #expect(kind.rawValue == "album" && kind.known == nil)
        for known in Change.Kind.allCases {
            let isIt = kind == known
            #expect(!isIt)
        }
        let file = try page("file", spaced: spaced).changes[0].kind
        #expect(file == OpenWord(Change.Kind.file) && file.known == .file)
    }

    @Test func itIsHandedOnAsItCame() throws {
        let told = try page("album", spaced: false)
        let again = try WireCoding.decode(GetChangesResponse.self, from: try WireCoding.encode(told))
        #expect(again == told)
        let text = try WireCoding.text(of: [OpenWord<ProblemCode>(rawValue: "tomorrow"), OpenWord(.busy)])
        #expect(text == #"["tomorrow","busy"]"#)
    }

    @Test func aRefusalWithACodeOfTomorrowKeepsItsWordsAndItsStatus() throws {
        let json =
            #"{"type":"/problems/moon_phase","title":"Wrong moon","status":409,"code":"moon_phase","detail":"Wait.","moon":3}"#
        let problem = try WireCoding.decode(Problem.self, from: Data(json.utf8))
        #expect(problem.code.rawValue == "moon_phase" && problem.code.known == nil)
        #expect(problem.status == 409 && problem.detail == "Wait." && problem.title == "Wrong moon")
    }

    @Test func onlyTheWordItselfIsEqualToIt() {
        let (known, unknown) = (OpenWord(ProblemCode.busy), OpenWord<ProblemCode>(rawValue: "later"))
        let absent: OpenWord<ProblemCode>? = nil
        let (isBusy, isNotFound, isUnknown, isAbsent) = (
            known == .busy, known == .notFound, unknown == .busy, absent == .busy
        )
        #expect(isBusy && !isNotFound && !isUnknown && !isAbsent)
        let (differs, otherwise) = (unknown != .busy, absent != .busy)
        #expect(differs && otherwise)
        #expect(OpenWord<ProblemCode>(rawValue: "busy") == known)
        #expect(Set([known, unknown, OpenWord(.busy)]).count == 2)
    }
}
