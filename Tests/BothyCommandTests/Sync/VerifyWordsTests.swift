import BothyClient
import BothyContract
import BothySync
import Testing

@testable import bothy

/// What `bothy verify` says can be typed, and its numbers make sentences.
@Suite struct VerifyWordsTests {
    private static let hash = ContentHash(bytes: [UInt8](repeating: 3, count: 32))!

    @Test func whatToTypeStandsInTheRemedy() throws {
        let damaged = FileVerdict.damaged(.untouched, found: Self.hash)
        let words = try #require(
            VerifyWords.words(damaged, of: "/home/anna/my box/a.txt", onTheServer: "/my box/a.txt"))
        #expect(
            words.remedy
                == "“bothy get --replace '/my box/a.txt' '/home/anna/my box/a.txt'” downloads the server’s version again."
        )
        #expect(VerifyWords.words(.whole, of: "/a", onTheServer: "/a") == nil)
        #expect(VerifyWords.words(.changed, of: "/a", onTheServer: "/a") == nil)
    }

    @Test func aTimeThatWasPutBackMayHaveBeenMeant() throws {
        let words = try #require(
            VerifyWords.words(.damaged(.timeKept, found: Self.hash), of: "/a", onTheServer: "/b"))
        #expect(words.cause.contains("or a program wrote it and reset the time"))
        #expect(
            words.remedy.hasPrefix("Unless this was intended")
                && words.remedy.hasSuffix("The next pass uploads the local content."))
    }

    @Test func whatTheServerHasNoLongerIsNotToBeFetched() throws {
        let words = try #require(VerifyWords.words(.damaged(.untouched, found: Self.hash), of: "/a", onTheServer: nil))
        #expect(!words.remedy.contains("bothy get"))
    }

    @Test func theNumbersMakeSentences() {
        var tally = VerifyTally()
        #expect(tally.lines == ["There is nothing to verify."] && tally.complaint == nil)
        tally.count(.whole, bytes: 5)
        #expect(tally.lines == ["1 file, 5 B, was verified by SHA-256: it is intact."])
        tally.count(.changed, bytes: 5)
        tally.count(.missing, bytes: 5)
        tally.count(.whole, bytes: 6)
        #expect(
            tally.lines == [
                "2 files, 11 B, were verified by SHA-256: all are intact.",
                "1 has changed since the last sync, and was not checked.", "1 no longer exists.",
            ])
        #expect(tally.complaint == nil)
        tally.count(.unreadable(ClientFailure(.permissionDenied, "no")), bytes: 1)
        #expect(tally.complaint?.status == .partlyDone)
        tally.count(.damaged(.untouched, found: Self.hash), bytes: 1)
        #expect(tally.complaint?.message == "1 file is damaged, and 1 could not be read.")
        #expect(tally.complaint?.status == .failed)
        #expect(tally.lines.first == "3 files, 12 B, were verified by SHA-256.")
    }

    /// What the home keeps comes and goes by itself.
    @Test func anOwnCopyThatWentIsNoChange() {
        var tally = VerifyTally()
        tally.count(.changed, bytes: 5, isOwnCopy: true)
        #expect(tally == VerifyTally())
    }
}
