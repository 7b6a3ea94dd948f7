import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

/// Folders in step that are what a test says.
final class MadeUpFoldersInStep: FoldersInStep {
    private let told: [[FolderInStep]]
    private let log: [FolderPass]
    private let decisions: [FolderDecision]
    private let explanation: PlaceExplanation?
    private let failure: ClientFailure?
    private let unfinished: Int
    private let tying: TyingLook?
    private let heard = Mutex([String]())

    init(
        _ told: [FolderInStep]..., log: [FolderPass] = [], decisions: [FolderDecision] = [],
        explanation: PlaceExplanation? = nil, failure: ClientFailure? = nil, unfinished: Int = 0,
        tying: TyingLook? = nil
    ) {
        self.told = told
        self.log = log
        self.decisions = decisions
        self.explanation = explanation
        self.failure = failure
        self.unfinished = unfinished
        self.tying = tying
    }

    var asked: [String] { heard.withLock { $0 } }

    private func check() throws { if let failure { throw failure } }

    func content(of file: String, revision: String) async throws -> String? { nil }
    func all() async throws -> [FolderInStep] {
        try check()
        return told[0]
    }

    func looks() -> AsyncThrowingStream<[FolderInStep], any Error> {
        AsyncThrowingStream { stream in
            for folders in told { stream.yield(folders) }
            stream.finish()
        }
    }

    func letPass(_ folder: FolderInStep.ID, _ saw: GuardSaw) async throws {
        try check()
        heard.withLock { $0.append("pass \(folder) \(saw)") }
    }

    func bringBack(_ folder: FolderInStep.ID) async throws {
        try check()
        heard.withLock { $0.append("bring back \(folder)") }
    }

    func lookAgain(_ folder: FolderInStep.ID) async throws {
        try check()
        heard.withLock { $0.append("look \(folder)") }
    }

    func untie(_ folder: FolderInStep.ID) async throws {
        try check()
        heard.withLock { $0.append("untie \(folder)") }
    }

    func passes(most: Int) async throws -> [FolderPass] { log }

    func takeBack(_ pass: FolderPass.ID) async throws -> Int {
        try check()
        heard.withLock { $0.append("undo \(pass)") }
        return unfinished
    }

    func decided(most: Int) async throws -> [FolderDecision] { Array(decisions.prefix(most)) }

    func takeBack(decision: FolderDecision.ID) async throws -> Int {
        try check()
        heard.withLock { $0.append("reopen \(decision)") }
        return unfinished
    }

    func look(at wish: FolderToTie) async throws -> TyingLook {
        try check()
        guard let tying else { throw ClientFailure(.refused, "“\(wish.localPath)” is too broad to sync.") }
        return tying
    }

    func tie(_ wish: FolderToTie, as plan: String) async throws {
        try check()
        heard.withLock { $0.append("tie \(wish.localPath) \(wish.remotePath) \(plan)") }
    }

    func why(_ path: String) async throws -> PlaceExplanation {
        guard let explanation else { throw ClientFailure(.offline, "There is no connection.") }
        return explanation
    }
}

@MainActor @Suite struct SyncStateHolderTests {
    private nonisolated static let offline = ClientFailure(.offline, "The server cannot be reached.")

    private nonisolated static func folder(_ state: FolderInStep.State) -> FolderInStep {
        FolderInStep(
            id: "b1", localPath: "/home/anna/box", remotePath: "/box", state: state, inStepAt: Timestamp(seconds: 60))
    }

    private func opened(_ folders: MadeUpFoldersInStep) async -> SyncStateHolder {
        let holder = holder(folders)
        await holder.open()
        return holder
    }

    private func holder(_ folders: MadeUpFoldersInStep) -> SyncStateHolder {
        SyncStateHolder(folders, words: .english) { PersonsClock(now: Timestamp(seconds: 3600), zone: .gmt) }
    }

    @Test func noFolderSaysHowToBegin() async {
        #expect(await opened(MadeUpFoldersInStep([])).state.isEmpty)
    }

    @Test(
        arguments: [
            (.inStep, "Up to date", .calm), (.working, "Syncing", .busy),
            (.unwatched, "Not syncing at the moment · last synced 00:01", .waiting),
            (.waiting(offline), "The server cannot be reached. · last synced 00:01", .waiting),
            (
                .waiting(ClientFailure(.fileMissing, "The folder does not exist.")),
                "The folder does not exist. · last synced 00:01", .asking
            ),
            (.partly(failed: 1), "1 item could not be synced, and will be retried", .waiting),
            (.partly(failed: 3), "3 items could not be synced, and will be retried", .waiting),
            (.lacking(1), "Up to date, except for 1 item that cannot be synced", .asking),
            (.lacking(3), "Up to date, except for 3 items that cannot be synced", .asking),
            (.held(.folderEmptied), "Held back until you decide", .asking),
        ] as [(FolderInStep.State, String, SyncState.Folder.Tone)])
    func everyStateHasWords(_ state: FolderInStep.State, _ words: String, _ tone: SyncState.Folder.Tone) async throws {
        let folder = try #require(await opened(MadeUpFoldersInStep([Self.folder(state)])).state.folders.first)
        #expect(folder.detail == words && folder.tone == tone)
        #expect(
            folder.rules
                == "Files deleted elsewhere go to the folder’s own trash for 30 days; conflicts keep both versions."
        )
    }

    @Test func whatCannotBeSyncedSaysWhatListsIt() async throws {
        let folder = try #require(await opened(MadeUpFoldersInStep([Self.folder(.lacking(2))])).state.folders.first)
        #expect(
            folder.advice?.contains("“bothy sync --dry-run”") == true && folder.stopped == nil && folder.canLookAgain)
    }

    @Test(
        arguments: [
            .manyDeletions(.here, planned: 51, lately: 0, known: 200),
            .manyDeletions(.onTheServer, planned: 51, lately: 3, known: 200),
            .manyDeletions(.onTheServer, planned: 51, overwritten: 51, lately: 0, known: 200),
            .manyDeletions(.here, planned: 51, lately: 0, known: 200, other: .init(planned: 60, lately: 0, known: 200)),
            .folderVanished,
            .folderUnmounted, .folderReplaced, .folderEmptied, .remoteFolderLost, .tyingTakenBack,
        ] as [GuardSaw])
    func everyGuardSaysWhatItSawAndWhatToDo(_ saw: GuardSaw) async throws {
        let folders = MadeUpFoldersInStep([Self.folder(.held(saw))])
        let holder = await opened(folders)
        let stopped = try #require(holder.state.folders.first?.stopped)
        // A folder that is not there has to come back, or to be untied.
        let isAway = saw == .folderVanished || saw == .folderUnmounted
        #expect(!stopped.text.isEmpty && !stopped.lead.isEmpty && (stopped.pass == nil) == isAway)
        await holder.letPass("b1", saw)
        #expect(folders.asked == ["pass b1 \(saw)"] && holder.state.notice?.text == "Syncing has resumed.")
    }

    private nonisolated static let there = GuardSaw.Tally(planned: 60, lately: 0, known: 200)

    @Test(
        arguments: [
            (.manyDeletions(.onTheServer, planned: 51, lately: 3, known: 200), true), (.folderEmptied, true),
            (.manyDeletions(.here, planned: 51, lately: 0, known: 90, other: Self.there), true),
            (.manyDeletions(.here, planned: 51, lately: 0, known: 200), false),
            (.manyDeletions(.onTheServer, planned: 51, overwritten: 51, lately: 0, known: 200), false),
            (.folderReplaced, false),
        ] as [(GuardSaw, Bool)])
    func whatWasDeletedHereCanBeBroughtBack(_ saw: GuardSaw, _ canBe: Bool) async throws {
        let folders = MadeUpFoldersInStep([Self.folder(.held(saw))])
        let holder = await opened(folders)
        #expect((try #require(holder.state.folders.first?.stopped).bringBack != nil) == canBe)
        await holder.bringBack("b1")
        #expect(folders.asked == ["bring back b1"])
        #expect(holder.state.notice?.text == "The deleted files are being restored.")
    }

    @Test func whatIsOverwrittenIsNotCalledDeleted() async throws {
        let saw = GuardSaw.manyDeletions(.onTheServer, planned: 53, overwritten: 50, lately: 0, known: 200)
        let stopped = try #require(
            await opened(MadeUpFoldersInStep([Self.folder(.held(saw))])).state.folders.first?.stopped)
        #expect(
            stopped.text == "3 of 200 files and folders would be deleted on the server. "
                + "Files that changed on both sides and would be overwritten on the server: 50.")
    }

    @Test func whatWouldGoOnBothSidesIsCountedOnBoth() async throws {
        let saw = GuardSaw.manyDeletions(
            .here, planned: 51, lately: 2, known: 200, other: .init(planned: 60, lately: 0, known: 200))
        let stopped = try #require(
            await opened(MadeUpFoldersInStep([Self.folder(.held(saw))])).state.folders.first?.stopped)
        #expect(
            stopped.text == "51 of 200 files and folders would be deleted here. 2 more in the last 24 hours. "
                + "60 of 200 files and folders would be deleted on the server.")
    }

    @Test func whatIsKeptInStepNoLongerSaysThatAllFilesStay() async throws {
        let folders = MadeUpFoldersInStep([Self.folder(.inStep)])
        let opened = await opened(folders)
        await opened.untie("b1")
        #expect(folders.asked == ["untie b1"] && opened.state.notice?.text.contains("All files stay") == true)
        let refused = MadeUpFoldersInStep([Self.folder(.inStep)], failure: ClientFailure(.notFound, "It is gone."))
        let late = holder(refused)
        await late.untie("b1")
        #expect(late.state.notice?.text == "It is gone.")
    }

    @Test func whatMayBeOtherwiseByNowCanBeLookedAtAgain() async throws {
        let folders = MadeUpFoldersInStep([Self.folder(.held(.folderUnmounted))], [Self.folder(.inStep)])
        let holder = await opened(folders)
        #expect(try #require(holder.state.folders.first).canLookAgain)
        await holder.lookAgain("b1")
        #expect(folders.asked == ["look b1"] && holder.state.notice?.text == "Checking again.")
        let calm = await opened(MadeUpFoldersInStep([Self.folder(.inStep)]))
        #expect(!(try #require(calm.state.folders.first).canLookAgain))
    }

    @Test func deletionsAreCounted() async throws {
        let saw = GuardSaw.manyDeletions(.onTheServer, planned: 51, lately: 3, known: 200)
        let stopped = try #require(
            await opened(MadeUpFoldersInStep([Self.folder(.held(saw))])).state.folders.first?.stopped)
        #expect(
            stopped.text == "51 of 200 files and folders would be deleted on the server. 3 more in the last 24 hours."
        )
    }

    @Test func whatWasDoneIsToldAndTakenBackAsOne() async throws {
        let deed = FolderDeed(
            id: 1, at: Timestamp(seconds: 60), act: FolderAct(.sent, at: "a\u{202E}"), reason: .createdHere,
            failure: Self.offline)
        let pass = FolderPass(id: 9, folder: "b1", at: Timestamp(seconds: 60), deeds: [deed], hasMore: true)
        var done = pass
        done.isTakenBack = true
        let folders = MadeUpFoldersInStep([Self.folder(.inStep)], log: [pass, done], unfinished: 2)
        let holder = await opened(folders)
        let batches = holder.state.log
        #expect(batches.map(\.title) == ["00:01 · /home/anna/box", "00:01 · /home/anna/box"])
        #expect(batches.map(\.canTakeBack) == [true, false] && batches[1].mark == "undone" && batches[0].hasMore)
        #expect(
            batches[0].deeds == [.init(deed, .english)] && batches[0].deeds[0].text == "sent a⟨U+202E⟩: it is new here")
        await holder.takeBack(9)
        #expect(folders.asked == ["undo 9"])
        #expect(holder.state.notice?.text == "2 items could not be undone: they have changed since.")
        #expect(holder.state.notice?.tone == .failure)
    }

    /// `bothy conflicts decided` listed them, and the screen did not.
    @Test func aConflictThatWasDecidedIsToldAndTakenBackByItself() async throws {
        let deed = FolderDeed(
            id: 1, at: Timestamp(seconds: 60), act: FolderAct(.merged, at: "a\u{202E}"), reason: .conflictMerged)
        let decision = FolderDecision(id: "23.1", path: "/home/anna/box/a\u{202E}", deed: deed)
        let folders = MadeUpFoldersInStep([Self.folder(.inStep)], decisions: [decision])
        let holder = await opened(folders)
        let shown = try #require(holder.state.decided.first)
        #expect(shown.title == "00:01 · /home/anna/box/a⟨U+202E⟩")
        #expect(
            shown.text == "merged both versions of a⟨U+202E⟩: it was changed on both sides, and the changes are merged")
        await holder.takeBack(decision: "23.1")
        #expect(
            folders.asked == ["reopen 23.1"] && holder.state.notice?.text == "Undone. The conflict is open again."
        )
        let changed = await opened(MadeUpFoldersInStep([Self.folder(.inStep)], decisions: [decision], unfinished: 1))
        await changed.takeBack(decision: "23.1")
        #expect(changed.state.notice?.text == "1 item could not be undone: it has changed since.")
        #expect(changed.state.notice?.tone == .failure)
    }

    @Test(arguments: PlaceExplanation.State.allCases)
    func whySomethingIsAsItIsIsToldOfAllThreeSides(_ state: PlaceExplanation.State) async throws {
        let told = PlaceExplanation(
            path: "/home/anna/box/a.txt", state: state, cause: .planned(.createdHere),
            here: .init(isFolder: false, size: 12, modifiedAt: Timestamp(seconds: 60)),
            onTheServer: .init(isFolder: true, size: 0, modifiedAt: Timestamp(seconds: 60)))
        let holder = await opened(MadeUpFoldersInStep([Self.folder(.inStep)], explanation: told))
        await holder.explain("/home/anna/box/a.txt")
        let shown = try #require(holder.state.explanation)
        #expect(!shown.state.isEmpty && shown.cause == "It is new here.")
        #expect(shown.remedy == "Nothing to do: it will be synced next.")
        let waits = [.pending, .transferring, .conflict, .failed].contains(state)
        #expect(
            shown.sides.map(\.text) == ["12 B, of 1 Jan 1970, 00:01", "a folder", waits ? "nothing yet" : "nothing"])
    }

    @Test(
        arguments: [
            (.pending, "h", ["a folder", "not there yet", "nothing yet"]),
            (.pending, "s", ["not here yet", "a folder", "nothing yet"]),
            (.pending, "sa", ["no longer here", "a folder", "a folder"]),
            (.pending, "ha", ["a folder", "no longer there", "a folder"]),
            (.unsynced, "h", ["a folder", "not there", "nothing"]),
            (.ignored, "", ["not synced", "not there", "nothing"]),
            (.gone, "", ["no longer here", "no longer there", "nothing"]),
            (.unknown, "", ["not here", "not there", "nothing"]), (.outside, "", []),
        ] as [(PlaceExplanation.State, String, [String])])
    func whatASideHasNotSaysWhatThatMeans(
        _ state: PlaceExplanation.State, _ sides: String, _ texts: [String]
    ) async throws {
        let side = PlaceExplanation.Side(isFolder: true, size: 0, modifiedAt: Timestamp(seconds: 60))
        let told = PlaceExplanation(
            path: "/home/anna/box/a", state: state, cause: .atRest, here: sides.contains("h") ? side : nil,
            onTheServer: sides.contains("s") ? side : nil, agreed: sides.contains("a") ? side : nil)
        let holder = await opened(MadeUpFoldersInStep([Self.folder(.inStep)], explanation: told))
        await holder.explain("/home/anna/box/a")
        let shown = try #require(holder.state.explanation)
        #expect(shown.sides.map(\.text) == texts)
    }

    @Test func whatCannotBeToldIsSaidAndTheListStays() async {
        let holder = await opened(MadeUpFoldersInStep([Self.folder(.inStep)]))
        await holder.explain("/x")
        #expect(holder.state.notice?.text == "There is no connection." && holder.state.folders.count == 1)
    }

    @Test func whileItIsFollowedOnlyWhatChangesIsTold() async throws {
        let holder = holder(
            MadeUpFoldersInStep([Self.folder(.inStep)], [Self.folder(.inStep)], [Self.folder(.working)]))
        var told = [String]()
        try await holder.follow { told.append($0.folders[0].detail) }
        #expect(told == ["Up to date", "Syncing"])
    }

    @Test func whatFailsIsSaid() async {
        let holder = await opened(MadeUpFoldersInStep(failure: Self.offline))
        #expect(holder.state.standing == .failed(Words.english.failure(Self.offline)))
        await holder.letPass("b1", .folderEmptied)
        #expect(holder.state.notice == Words.english.failure(Self.offline))
    }
}
