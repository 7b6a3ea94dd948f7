import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Foundation
import Synchronization
import Testing

/// Going back to a moment: what is asked, shown, done and undone.
@MainActor @Suite struct RestoreStateHolderTests {
    private static let now = Timestamp(seconds: 40 * 86_400)

    private let folders = MadeUpFolders()
    private let restores = MadeUpRestores()

    private func holder(_ item: ItemID = .root) -> RestoreStateHolder {
        RestoreStateHolder(
            item, folders: folders, restores: restores, words: .english, clock: PersonsClock(now: Self.now, zone: .gmt))
    }

    private func shown(_ state: DriveRestore.State, _ counts: RestoreCounts = .init(), before: String? = nil) async
        -> RestoreState
    {
        restores.answer(state, counts, before: before)
        let holder = holder()
        await holder.show("r1")
        return holder.state
    }

    @Test func momentsAreOfferedOfEverythingAndOfAFolder() async {
        let everything = holder()
        await everything.open()
        #expect(everything.state.title == "Everything as it was" && everything.state.standing == .choosing)
        #expect(everything.state.choices.map(\.title) == ["An hour ago", "A day ago", "A week ago", "30 days ago"])
        #expect(everything.state.choices[1].moment == Timestamp(seconds: 39 * 86_400))
        #expect(everything.state.choices[1].detail == "9 Feb 1970, 00:00")
        let folder = holder(folders.put("Letters\u{202E}", isFolder: true))
        await folder.open()
        #expect(folder.state.title == "“Letters⟨U+202E⟩” as it was" && folder.state.crumbs.map(\.name) == ["Files"])
    }

    @Test func whatIsNotThereSaysSo() async {
        let holder = holder(ItemID("nobody"))
        await holder.open()
        guard case .failed(_, let isMissing) = holder.state.standing else {
            Issue.record("it opened all the same")
            return
        }
        #expect(isMissing)
    }

    @Test(arguments: [
        (DriveRestore.State.planned, "This is only a preview: nothing has changed yet."), (.finished, ""),
        (.running, "0 of 1 are done. It continues when this page is closed."),
    ])
    func whereAnotherMomentThanTheOneChosenIsKeptItIsSaid(_ standing: DriveRestore.State, _ lead: String) async {
        restores.answer(standing, RestoreCounts(putBack: 1), before: nil, askedAt: Timestamp(seconds: 3600))
        let holder = holder()
        await holder.show("r1")
        #expect(holder.state.heading.hasSuffix("1 Jan 1970, 00:01"), "\(holder.state.heading)")
        let nearest = "This is the last time before 1 Jan 1970, 01:00 that is kept."
        #expect(holder.state.lead == [nearest, lead].filter { !$0.isEmpty }.joined(separator: " "))
    }

    @Test func aPlanSaysWhatWouldChange() async {
        restores.changes = [
            RestoreChange(
                fileId: "1", isFolder: false, action: .putBack, aspects: [.content, .name], path: "/b.txt",
                pastPath: "/a.txt"),
            RestoreChange(
                fileId: "2", isFolder: true, action: .putBack, aspects: [.folder, .untrashed], path: "/x/d",
                pastPath: "/d"),
            RestoreChange(fileId: "3", isFolder: false, action: .trash, path: "/new"),
            RestoreChange(fileId: "4", isFolder: true, action: .recreate, pastPath: "/old"),
            RestoreChange(fileId: "5", isFolder: false, action: .lost, pastPath: "/gone.png"),
        ]
        let state = await shown(.planned, RestoreCounts(putBack: 2, trashed: 1, recreated: 1, lost: 1))
        #expect(
            state.standing == .planned(isNothing: false)
                && state.lead == "This is only a preview: nothing has changed yet.")
        #expect(state.heading == "As it was on 1 Jan 1970, 00:01" && state.restore == "r1")
        #expect(
            state.sums == [
                "Would restore 2 files and folders", "Would move 1 file or folder to the trash",
                "Would create 1 folder again", "1 deleted for good since: it cannot be restored",
            ])
        #expect(state.lines.map(\.path) == ["/a.txt", "/d", "/new", "/old", "/gone.png"])
        #expect(state.lines.map(\.kind) == [.text, .folder, .other, .folder, .image])
        #expect(
            state.lines.map(\.about) == [
                "Back: its content, its name, from “b.txt”", "Back: its place, from /x/d, out of the trash",
                "To the trash: it did not exist then", "Created again for its content",
                "Deleted for good since: it cannot be restored",
            ])
        #expect(!state.isCut)
    }

    @Test func aPlanOfManyShowsTheFirst() async {
        restores.changes = (0..<500).map {
            RestoreChange(fileId: "\($0)", isFolder: false, action: .trash, path: "/\($0)")
        }
        let state = await shown(.planned, RestoreCounts(trashed: 500))
        #expect(state.lines.count == RestoreStateHolder.mostLines && state.isCut)
    }

    @Test func aPlanOfNothingOffersNothingToDo() async {
        let state = await shown(.planned, RestoreCounts(lost: 2))
        #expect(state.standing == .planned(isNothing: true))
        #expect(state.lead == "There is nothing to restore: nothing has changed since.")
    }

    @Test func whatIsUnderWaySaysHowFarItIs() async {
        let state = await shown(.running, RestoreCounts(putBack: 7, trashed: 3, done: 4))
        #expect(state.standing == .running)
        #expect(state.lead == "4 of 10 are done. It continues when this page is closed.")
    }

    @Test func whatIsDoneCanBeUndoneAndSaysWhatStayed() async {
        restores.changes = [
            RestoreChange(
                fileId: "1", isFolder: false, action: .putBack, aspects: [.content], path: "/a", outcome: .skipped)
        ]
        let done = await shown(.finished, RestoreCounts(putBack: 2, done: 1, skipped: 1), before: "c1")
        #expect(done.standing == .finished(canUndo: true))
        #expect(done.sums == ["2 back as they were", "1 was changed meanwhile, and stays as it is."])
        #expect(done.lines.map(\.about) == ["It was changed meanwhile, and stays as it is"])
        #expect(await shown(.finished, RestoreCounts(putBack: 1)).standing == .finished(canUndo: false))
        #expect(await shown(.finished, before: "c1").standing == .finished(canUndo: false))
    }

    @Test func whatIsDoneLeadsToWhatIsShown() async {
        let holder = holder()
        #expect(await holder.plan(to: Timestamp(seconds: 60)) == "r1")
        #expect(await holder.carryOut("r1") == "r1")
        #expect(await holder.undo("r1") == "undone r1")
        #expect(holder.state.notice == nil)
        #expect(restores.asked == ["plan 60 root", "do r1 root", "undo r1 root"])
    }

    @Test func aFailureIsSaidAndLeavesThePage() async {
        let holder = holder()
        #expect(await holder.plan(to: nil) == nil)
        #expect(holder.state.notice?.tone == .failure && restores.asked.isEmpty)
        restores.failure = ClientFailure(.refused, "Something changed since the plan was made.")
        #expect(await holder.carryOut("r1") == nil)
        #expect(holder.state.notice?.text == "Something changed since the plan was made.")
        restores.failure = ClientFailure(.offline, "No answer.")
        #expect(await holder.plan(to: Self.now) == nil)
        #expect(holder.state.notice?.text.hasPrefix("There is no connection") == true)
    }

    @Test func whatIsNotRememberedIsSaidAsAPersonHasTheTime() async {
        var forgotten = Problem(.momentForgotten, "What was before 1970-01-01T00:01:00.000Z is not remembered.")
        forgotten.earliest = Timestamp(seconds: 60)
        restores.failure = ClientFailure(forgotten)
        let holder = holder()
        #expect(await holder.plan(to: Timestamp(seconds: 1)) == nil)
        let said = "The history does not go back before 1 Jan 1970, 00:01. Choose a later time."
        #expect(holder.state.notice?.text == said)
    }

    @Test(
        arguments: [
            ("1970-01-02T00:00", 86_400), ("1970-01-01T00:01", 60), ("1970-01-01T00:01:30", 60),
            ("1970-13-01T00:00", nil),
            ("1970-02-30T00:00", nil), ("1970-01-01T24:00", nil), ("", nil), ("yesterday", nil), ("1-2-3T4:5", nil),
        ] as [(String, Int64?)])
    func aMomentIsTakenAsItIsTyped(_ text: String, _ seconds: Int64?) {
        let clock = PersonsClock(now: Self.now, zone: .gmt)
        #expect(clock.moment(text) == seconds.map { Timestamp(seconds: $0) })
        #expect(clock.moment(clock.text) == Self.now)
    }

    @Test func aMomentIsOfThePersonsOwnClock() throws {
        let berlin = PersonsClock(now: Self.now, zone: try #require(TimeZone(identifier: "Europe/Berlin")))
        #expect(berlin.moment("2026-07-01T12:00") == Timestamp(rfc3339: "2026-07-01T10:00:00.000Z"))
        #expect(berlin.moment("2026-12-01T12:00") == Timestamp(rfc3339: "2026-12-01T11:00:00.000Z"))
        #expect(berlin.moment("2026-03-29T02:30") == Timestamp(rfc3339: "2026-03-29T01:30:00.000Z"), "left out")
        #expect(berlin.moment("2026-10-25T02:30") == Timestamp(rfc3339: "2026-10-25T00:30:00.000Z"), "twice")
    }
}

/// A server's restores, as a test has them.
@MainActor final class MadeUpRestores: MomentRestoring {
    var changes = [RestoreChange]()
    var failure: ClientFailure?
    private(set) var asked = [String]()
    private var answer = DriveRestore(
        restoreId: "r1", fileId: "root", at: Timestamp(seconds: 60), cursor: "c0", state: .planned, counts: .init(),
        createdAt: Timestamp(seconds: 0))

    func answer(
        _ state: DriveRestore.State, _ counts: RestoreCounts, before: String?, askedAt: Timestamp? = nil
    ) {
        answer.askedAt = askedAt
        answer.state = OpenWord(state)
        answer.counts = counts
        answer.before = before
    }

    private func told(_ what: String) throws -> DriveRestore {
        if let failure { throw failure }
        asked.append(what)
        return answer
    }

    func plan(to moment: Timestamp, of item: ItemID) async throws -> DriveRestore {
        try told("plan \(moment.seconds) \(item)")
    }

    func carryOut(_ plan: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        try told("do \(plan) \(item)")
    }

    func undo(_ restore: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        var undone = try told("undo \(restore) \(item)")
        undone.restoreId = "undone \(restore)"
        return undone
    }

    func restore(_ id: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        if let failure { throw failure }
        return answer
    }

    func changes(of id: DriveRestore.ID, limit: Int) async throws -> [RestoreChange] { Array(changes.prefix(limit)) }
}
