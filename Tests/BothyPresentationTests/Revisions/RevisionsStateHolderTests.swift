import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Testing

@MainActor @Suite struct RevisionsStateHolderTests {
    private let folders = MadeUpFolders()
    private let revisions = MadeUpRevisions()
    private let clock = PersonsClock(now: Timestamp(seconds: 0), zone: .gmt)

    private func opened(_ file: ItemID) async -> RevisionsStateHolder {
        let holder = RevisionsStateHolder(
            file, folders: folders, revisions: revisions, words: .english, clock: clock)
        await holder.open()
        return holder
    }

    private func compared(_ file: ItemID, _ older: String? = nil, _ newer: String? = nil) async -> ComparisonState {
        let holder = ComparisonStateHolder(
            file, folders: folders, revisions: revisions, words: .english, clock: clock)
        await holder.compare(older: older, newer: newer)
        return holder.state
    }

    @Test func theNewestIsFirstAndSaysThatItIsTheCurrentOne() async {
        let file = folders.put("notes.txt")
        revisions.put("one")
        revisions.put("one two", from: nil)
        let state = await opened(file).state
        #expect(state.rows.map(\.about) == ["7 B, from a former device", "3 B, from laptop"])
        #expect(state.rows.map(\.isCurrent) == [true, false])
        #expect(state.rows.map(\.moment) == ["1 Jan 1970, 00:01", "1 Jan 1970, 00:00"])
        #expect(state.isText && state.next == nil)
    }

    @Test(
        arguments: [
            ("a.csv", "text/csv", true), ("a.csv", "application/octet-stream", true),
            ("a.json", "application/json", true),
            ("a.xls", "application/vnd.ms-excel", false), ("a.ods", "application/octet-stream", false),
            ("a.png", "image/png", false),
        ])
    func onlyTextsAreCompared(_ name: String, _ type: String, _ isText: Bool) async {
        #expect(await opened(folders.put(name, mimeType: type)).state.isText == isText)
    }

    @Test func withoutAConnectionTheFileAsItIsNowIsShown() async {
        let file = folders.put("notes.txt", text: Array("one".utf8))
        revisions.fail(with: ClientFailure(.offline, "There is no connection."))
        let state = await opened(file).state
        #expect(state.standing == .shown && state.name == "notes.txt" && state.away?.text == "There is no connection.")
        #expect(state.rows.map(\.about) == ["3 B"] && state.rows.map(\.isCurrent) == [true])
        revisions.fail(with: ClientFailure(.serverFailed, "The server failed."))
        guard case .failed = await opened(file).state.standing else {
            Issue.record("a failure is taken for a missing connection")
            return
        }
    }

    @Test func restoringMakesANewVersion() async {
        let file = folders.put("notes.txt")
        let first = revisions.put("one")
        revisions.put("two")
        let holder = await opened(file)
        await holder.restore(first)
        #expect(holder.state.rows.count == 3 && holder.state.rows[0].about == "3 B, from browser")
        #expect(holder.state.notice?.tone == .plain)
        await holder.restore("nobody")
        #expect(holder.state.notice?.tone == .failure && holder.state.rows.count == 3)
    }

    @Test func whatIsNotThereSaysSo() async {
        guard case .failed(_, let isMissing) = await opened(ItemID("nobody")).state.standing else {
            Issue.record("it opened")
            return
        }
        #expect(isMissing)
    }

    @Test func aVersionIsComparedWithTheOneBeforeIt() async throws {
        let file = folders.put("notes.txt")
        revisions.put("a\nb\nc\n")
        revisions.put("a\nB\nc\n")
        let state = await compared(file)
        guard case .shown(.texts(let texts)) = state.standing else {
            Issue.record("\(state.standing)")
            return
        }
        #expect(texts.added == 1 && texts.removed == 1 && texts.parts.count == 1)
        #expect(texts.parts[0].lines.map(\.text) == ["a", "b", "B", "c"])
        #expect(state.older?.id == "r0" && state.newer?.id == "r1")
    }

    @Test(arguments: [
        ("same", "same", Phrase.compareSame), ("a", "\u{0}", Phrase.compareNotText),
    ])
    func whatCannotBeComparedSaysWhy(_ old: String, _ new: String, _ reason: Phrase) async {
        let file = folders.put("notes.txt")
        let (first, second) = (revisions.put(old), revisions.put(new))
        #expect(await compared(file, first, second).standing == .shown(.refused(Words.english[reason])))
    }

    @Test func whatIsTooLargeToCompareSaysSo() async {
        let file = folders.put("notes.txt")
        revisions.put("a")
        revisions.put(String(repeating: "x\n", count: 1 << 20))
        #expect(await compared(file).standing == .shown(.refused(Words.english[.compareTooLarge])))
    }

    @Test func aVersionOfNowhereIsMissing() async {
        let file = folders.put("notes.txt")
        revisions.put("a")
        guard case .failed(_, let isMissing) = await compared(file, "nobody").standing else {
            Issue.record("it was compared")
            return
        }
        #expect(isMissing)
    }
}
