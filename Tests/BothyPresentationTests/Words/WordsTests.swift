import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import Testing

@Suite struct WordsTests {
    @Test(arguments: Phrase.allCases)
    func everyPhraseIsSaid(_ phrase: Phrase) {
        #expect(!Words.english[phrase].isEmpty)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1500, "1.5 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
            (999_499, "999 kB"), (999_950, "1 MB"), (10_737_418_240, "10.7 GB"), (Int64.max, "9223 PB"),
        ] as [(Int64, String)])
    func sizesAreShort(_ bytes: Int64, _ text: String) {
        #expect(Words.english.size(bytes) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")])
    func numbersAreReadAtAGlance(_ number: Int, _ text: String) {
        #expect(Words.english.number(number) == text)
    }

    @Test(arguments: FailureCode.allCases)
    func whatToDoAboutAFailureIsNothingToType(_ code: FailureCode) throws {
        let plain = Words.english.failure(ClientFailure(code, "“a.txt” was not sent."))
        let precise = Words.english.failure(ClientFailure(code, "It was not sent.", remedy: "See “bothy transfers”."))
        #expect(plain.text == "“a.txt” was not sent." && plain.tone == .failure)
        for remedy in [try #require(plain.remedy), try #require(precise.remedy)] {
            #expect(!remedy.isEmpty && !remedy.contains("bothy ") && !remedy.contains("--"), "\(remedy)")
        }
    }

    @Test func howAConnectionFailedIsNothingForAScreen() {
        let failure = ClientFailure(.offline, "http://127.0.0.1:42807 cannot be reached (Connection refused).")
            .with { $0.unreached = "http://127.0.0.1:42807" }
        #expect(Words.english.failure(failure).text == "The server cannot be reached now.")
        #expect(Words.english.failure(ClientFailure(.offline, "“a” is not here.")).text == "“a” is not here.")
    }

    @Test func anAddressThatLeadsToNoPageIsToldInWordsForAPerson() {
        let notice = Words.english.failure(ClientFailure(Problem(.pageInvalid, "“page” should be the “next”.")))
        #expect(notice.isOfAddress && notice.text == Words.english[.pageUnknown])
        #expect(!Words.english.failure(ClientFailure(.refused, "No.")).isOfAddress)
    }

    @Test func howLargeAFileMayBeIsSaidAsSizesAre() {
        let problem = Problem(.fileTooLarge, "The file has 10737418241 bytes; this server takes 10737418240.")
            .with { $0.limit = 10_737_418_240 }
        #expect(Words.english.failure(ClientFailure(problem)).text == "The maximum file size is 10.7 GB.")
    }

    @Test func whatAFailureSaysItselfToDoIsSaid() {
        let failure = ClientFailure(.changedMeanwhile, "It has changed.", remedy: "Look at both sides again.")
        #expect(Words.english.failure(failure).remedy == "Look at both sides again.")
        let unforeseen = Words.english.failure(CancellationError())
        #expect(unforeseen.text == Words.english[.failedTitle] && unforeseen.remedy == nil)
        #expect(unforeseen.tone == .failure && unforeseen.code == .unexpected)
    }

    @Test func countsAreWritten() {
        #expect(Words.english.items(1) == "1 item")
        #expect(Words.english.items(123_456) == "123,456 items")
        #expect(Words.english.items(999) == "999 items")
    }

    @Test func aDateIsAsShortAsItMayBeWhereThePersonIs() throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-22T01:30:00.000Z"))
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let clock = PersonsClock(now: now, zone: zone)
        func date(_ text: String) throws -> String {
            Words.english.date(try #require(Timestamp(rfc3339: text)), at: clock)
        }
        #expect(try date("2026-11-22T01:00:00.000Z") == "20:00", "it is still the 21st there")
        #expect(try date("2026-11-21T04:00:00.000Z") == "20 Nov")
        #expect(try date("2026-07-04T12:00:00.000Z") == "4 Jul")
        #expect(try date("1969-07-20T20:17:40.000Z") == "20 Jul 1969")
        #expect(Words.english.moment(now, at: clock) == "21 Nov 2026, 20:30")
    }

    @Test(arguments: [
        ("photo\u{202E}gpj.exe", "photo⟨U+202E⟩gpj.exe"), ("a\u{200B}b", "a⟨U+200B⟩b"), ("a\nb", "a⟨U+A⟩b"),
        ("\u{2066}x\u{2069}", "⟨U+2066⟩x⟨U+2069⟩"), ("plain.txt", "plain.txt"), ("שלום.txt", "שלום.txt"),
        ("👩‍👩‍👧.png", "👩‍👩‍👧.png"), ("می‌خواهم", "می‌خواهم"),
    ])
    func aNameCannotPassForAnother(_ name: String, _ shown: String) {
        #expect(ShownName.of(name) == shown)
    }
}
