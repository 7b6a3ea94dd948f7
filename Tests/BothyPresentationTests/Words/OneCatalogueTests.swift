import BothyClient
import BothyContract
import FolderConformance
import Testing

@testable import BothyPresentation

/// Every sentence of a screen comes from the catalogue: in a language whose letters nothing else has, nothing else is shown.
/// Whatever a person or a server named is Greek here.
@MainActor @Suite struct OneCatalogueTests {
    nonisolated static let clock = PersonsClock(now: Timestamp(seconds: 7200), zone: .gmt)
    nonisolated static let then = Timestamp(seconds: 60)
    nonisolated static let refused = ClientFailure(
        .quotaExceeded, "There is no room.", remedy: "Make some with “bothy trash”.")

    /// - Parameter texts: how many it shows at least: a state that shows nothing proves nothing.
    func expectMarked(
        _ state: Any, texts: Int, _ about: String = "", _ location: SourceLocation = #_sourceLocation
    ) {
        let plain = Marked.unmarked(in: state)
        #expect(plain.isEmpty, "\(about)", sourceLocation: location)
        #expect(Marked.count(in: state) >= texts, "\(about) \(state)", sourceLocation: location)
    }

    @Test func theLanguageMarksEveryPhrase() {
        for phrase in Phrase.allCases { #expect(Marked.unmarked(in: Words.marked[phrase]).isEmpty, "\(phrase)") }
        #expect(Marked.unmarked(in: Notice("A sentence of its own.")).count == 1, "and what is said elsewhere is found")
        #expect(Words.marked[.files] == "Ｆｉｌｅｓ" && Words.marked.size(1500) == "1.5 ｋＢ")
    }

    // MARK: - Folders in step

    private nonisolated static let guards: [GuardSaw] = [
        .manyDeletions(.here, planned: 51, lately: 2, known: 200),
        .manyDeletions(.here, planned: 51, lately: 2, known: 200, other: .init(planned: 60, lately: 0, known: 200)),
        .manyDeletions(.onTheServer, planned: 51, overwritten: 50, lately: 0, known: 200), .folderVanished,
        .folderUnmounted, .folderReplaced, .folderEmptied, .remoteFolderLost, .tyingTakenBack,
    ]

    private nonisolated static let transfers: [TransferState] =
        [.queued, .preparing, .transferring, .verifying, .completed, .failed, .canceled]
        + PauseReason.allCases.map(TransferState.paused)

    /// Everything that `why` can tell.
    private nonisolated static let causes: [PlaceCause] =
        [
            .atRest, .conflict, .leftOut(rule: "*.ω", source: "δ/.ι"),
            .leftOut(rule: .formerPattern("*.ω"), source: "δ/.ι"), .leftOut(rule: .largerThan(5 << 20), source: "--"),
            .moved(to: "δ/ω"), .own, .unknown, .onTheServer,
            .outside, .failed(refused), .devicePaused(until: nil), .devicePaused(until: then),
            .deviceRests(.battery), .deviceRests(.metered), .nobodyAtWork, .offline(refused),
            .offline(ClientFailure(.offline, "There is no way.")), .conflictOfNewFiles, .placeTaken(by: .symbolicLink),
            .above(place: "ω", .held(.symbolicLink)), .along(place: "ω", .movedHere),
            .elsewhere(place: "ω", .planned(.movedHere)),
            .refused(refused), .below(count: 1, place: "ω", .conflict),
            .below(count: 3, place: "ω", .held(.unreadable)),
        ] + DeedReason.allCases.map(PlaceCause.planned) + DeedReason.allCases.map(PlaceCause.gone)
        + HoldReason.allCases.map(PlaceCause.held) + UnsyncedReason.allCases.map(PlaceCause.unsynced)
        + guards.map(PlaceCause.guarded) + transfers.map(PlaceCause.transfer)
        + JournalOperation.State.allCases.map(PlaceCause.operation)

    private nonisolated static let acts: [FolderAct] =
        ([
            .agreed, .agreedAnew, .forgot, .keptUnsynced, .sent, .sentNewVersion, .fetched, .fetchedNewVersion, .merged,
            .leftOut,
            .couldNotMerge, .madeFolderHere, .madeFolderThere, .movedHere(from: "α"), .movedThere(from: "α"),
            .placedThere, .setAside(from: "α"), .trashedHere(count: 1), .trashedHere(count: 3), .trashedThere(count: 1),
            .trashedThere(count: 3), .untrashedThere, .touchedHere,
            .touchedThere,
        ] as [FolderAct.Kind]
        + ([
            .removedEmptiedFolder, .remadeFolder, .untrashed, .moved(from: "α"), .touched, .broughtBackOverTrashed,
            .broughtBackOverKept, .withdrew, .trashedCopy, .trashedAgain, .untrashedThere, .setOlderContent,
            .movedThere(name: nil), .movedThere(name: "α"), .touchedThere,
        ] as [FolderAct.TakenBack]).map(FolderAct.Kind.tookBack)).map { FolderAct($0, at: "δ/ω") }

    private nonisolated static let folders: [FolderInStep] =
        ([
            .unwatched, .inStep, .working, .waiting(refused), .partly(failed: 1), .partly(failed: 3), .lacking(1),
            .lacking(3),
        ]
        + guards.map(FolderInStep.State.held)).flatMap { state in
            ConflictResolution.allCases.map { conflicts in
                FolderInStep(
                    id: "β", localPath: "/α/β", remotePath: "/β", state: state, unwatchedFolders: 2,
                    inStepAt: conflicts == .fork ? nil : then, keepsWhatIsDeletedElsewhere: conflicts == .ask,
                    conflicts: conflicts, exclude: ["*.ω", .largerThan(100)])
            }
        }

    private func synced(_ explanation: PlaceExplanation? = nil, _ deeds: [FolderDeed] = []) -> SyncStateHolder {
        let pass = FolderPass(id: 9, folder: "β", at: Self.then, deeds: deeds, hasMore: true, takesBack: true)
        var undone = pass
        undone.isTakenBack = true
        let decisions = deeds.map { FolderDecision(id: "\($0.id)", path: "/ω", deed: $0) }
        let all = MadeUpFoldersInStep(
            Self.folders, log: [pass, undone], decisions: decisions, explanation: explanation, unfinished: 2)
        return SyncStateHolder(all, words: .marked) { Self.clock }
    }

    @Test func foldersInStep() async {
        let deeds = Self.acts.enumerated().map { number, act in
            FolderDeed(id: Int64(number), at: Self.then, act: act, reason: .createdHere, failure: Self.refused)
        }
        let reasons = DeedReason.allCases.map {
            FolderDeed(id: 0, at: Self.then, act: FolderAct(.sent, at: "ω"), reason: $0)
        }
        let holder = synced(nil, deeds + reasons)
        await holder.open()
        expectMarked(holder.state, texts: Self.folders.count * 4 + deeds.count * 4 + reasons.count * 2)
        await holder.letPass("β", .folderEmptied)
        expectMarked(holder.state.notice as Any, texts: 1)
        await holder.bringBack("β")
        expectMarked(holder.state.notice as Any, texts: 1)
        await holder.lookAgain("β")
        expectMarked(holder.state.notice as Any, texts: 1)
        await holder.untie("β")
        expectMarked(holder.state.notice as Any, texts: 1)
        await holder.takeBack(9)
        expectMarked(holder.state.notice as Any, texts: 1)
        await holder.takeBack(decision: "9.1")
        expectMarked(holder.state.notice as Any, texts: 1)
        await holder.explain("/α")
        expectMarked(holder.state.notice as Any, texts: 2)
    }

    @Test(arguments: causes.indices)
    func why(_ number: Int) async throws {
        let (cause, states) = (Self.causes[number], PlaceExplanation.State.allCases)
        let side = PlaceExplanation.Side(isFolder: false, size: 12, modifiedAt: Self.then)
        let folder = PlaceExplanation.Side(isFolder: true, size: 0, modifiedAt: Self.then)
        let holder = synced(
            PlaceExplanation(
                path: "/α/β/ω", state: states[number % states.count], cause: cause, here: side, onTheServer: folder))
        await holder.open()
        await holder.explain("/α/β/ω")
        let told = try #require(holder.state.explanation)
        expectMarked(told, texts: 10, "\(cause)")
        #expect(!told.cause.contains("#") && !told.remedy.contains("#"), "\(cause)")
    }

    @Test func noTwoCausesAreSaidInTheSameWords() {
        let said = Dictionary(grouping: Self.causes) { Words.english.why($0) { _ in "then" } }
        for (words, causes) in said where causes.count > 1 { Issue.record("«\(words)»: \(causes)") }
        for (words, acts) in Dictionary(grouping: Self.acts, by: Words.english.act) where acts.count > 1 {
            Issue.record("«\(words)»: \(acts)")
        }
    }

    @Test func tyingAFolder() async throws {
        let look = TyingLook(
            plan: "p", localPath: "/α", remotePath: "/β", goingUp: 1, comingDown: 2, inConflict: 3, deeds: Self.acts)
        let holder = TyingStateHolder(FolderToTie(), folders: MadeUpFoldersInStep([], tying: look), words: .marked)
        await holder.look()
        expectMarked(try #require(holder.state.look), texts: 5 + Self.acts.count)
        await holder.tie(as: "p")
        expectMarked(holder.state.notice as Any, texts: 1)
        let refused = TyingStateHolder(FolderToTie(), folders: MadeUpFoldersInStep([]), words: .marked)
        await refused.look()
        expectMarked(refused.state.notice as Any, texts: 2)
    }

    // MARK: - How the device stands, and what it moves

    @Test func theQuietLine() async throws {
        let kinds: [QuietLine.Kind] = [
            .inStep, .working, .offline(since: nil), .offline(since: Self.then), .diskFull,
            .paused(rule: "pause", until: nil), .paused(rule: "pause", until: Self.then), .signInNeeded,
            .paused(rule: "battery", until: nil),
            .asks(1, .folders), .asks(2, .conflicts),
        ]
        for kind in kinds {
            for open in [0, 1, 2] {
                let line = QuietLine(kind: kind, open: open, asOf: Self.then)
                let holder = StandingStateHolder(MadeUpStanding(line), words: .marked) { Self.clock }
                await holder.open()
                expectMarked(try #require(holder.state), texts: 2, "\(kind)")
                await holder.pause()
                expectMarked(holder.notice as Any, texts: 1)
                await holder.resume()
                expectMarked(holder.notice as Any, texts: 1)
            }
        }
        let broken = StandingStateHolder(MadeUpStanding(failure: Self.refused), words: .marked) { Self.clock }
        await broken.open()
        expectMarked(try #require(broken.state), texts: 2)
    }

    private func transfer(
        _ deed: DeviceTransfer.Deed, _ state: DeviceTransfer.State, total: Int64?
    ) -> DeviceTransfer {
        DeviceTransfer(
            id: "τ", deed: deed, name: "ω", above: ["δ"], localPath: nil, state: state,
            bytesDone: total == nil ? 0 : 3, bytesTotal: total, failure: total == nil ? nil : Self.refused,
            nextAttemptAt: total == nil ? nil : Timestamp(seconds: 9000), since: Self.then, updatedAt: Self.then,
            isChange: false)
    }

    @Test func transfers() async {
        let deeds: [DeviceTransfer.Deed] = [
            .upload, .newVersion, .download, .createFolder, .move, .trash, .restore, .rename(to: "ω"), .star(true),
            .star(false), .hide(true), .hide(false),
        ]
        let states: [DeviceTransfer.State] =
            [.waiting, .preparing, .moving, .checking, .failed, .conflict, .done, .canceled]
            + PauseReason.allCases.map(DeviceTransfer.State.paused)
        var items = [DeviceTransfer]()
        for deed in deeds {
            for state in states {
                items.append(transfer(deed, state, total: nil))
                items.append(transfer(deed, state, total: 10))
            }
        }
        let look = TransfersLook(
            items: items, open: items.count + 5, asking: 1, over: 1,
            others: FeedActions(count: 2, places: [.feed, .people, .post(1)]),
            refused: FeedActions(count: 1, places: [.post(1), .post(2)]))
        let holder = TransfersStateHolder(MadeUpTransfers([look]), words: .marked) { Self.clock }
        await holder.open()
        expectMarked(holder.state, texts: items.count * 3)
        await holder.actOnAll(.retry)
        expectMarked(holder.state.notice as Any, texts: 1)
        for remedy in TransferRemedy.allCases { expectMarked(Words.marked.remedy(remedy), texts: 1) }
    }

    private func conflict(_ kind: DeviceConflict.Kind, theirs: DeviceConflict.Side?) -> DeviceConflict {
        DeviceConflict(
            id: "7", kind: kind, above: ["δ"],
            mine: .init(name: "ω", size: 12, modifiedAt: Self.then, device: "λ"), theirs: theirs, since: Self.then,
            failure: Self.refused, choices: ConflictDecision.Choice.allCases, seen: "s", hasTwoContents: true)
    }

    private func decision(
        _ kind: DeviceConflict.Kind, _ choice: ConflictDecision.Choice, beside: String?
    ) -> DecidedConflict {
        DecidedConflict(
            id: 4, decidedAt: Self.then, isAutomatic: beside == nil, choice: choice, kind: kind, name: "ω",
            above: ["δ"], beside: beside)
    }

    @Test func conflicts() async {
        let kinds: [DeviceConflict.Kind] = [.edits, .name, .deletion, .other]
        let choices = ConflictDecision.Choice.allCases
        let theirs = DeviceConflict.Side(
            name: "ψ", size: 1500, modifiedAt: Self.then, device: nil, item: ItemID("9"))
        var (waiting, decided) = ([DeviceConflict](), [DecidedConflict]())
        for kind in kinds {
            waiting += [conflict(kind, theirs: theirs), conflict(kind, theirs: nil)]
            for choice in choices {
                decided += [decision(kind, choice, beside: nil), decision(kind, choice, beside: "ψ")]
            }
        }
        let holder = ConflictsStateHolder(
            MadeUpConflicts(waiting, decided: decided, texts: [.mine: "α", .theirs: "α"]), words: .marked,
            clock: Self.clock)
        await holder.open()
        expectMarked(holder.state, texts: waiting.count * 12 + decided.count * 2 + 8)
        for policy in ConflictResolution.allCases {
            await holder.set(policy)
            expectMarked(holder.state.notice as Any, texts: 1)
        }
        await holder.open("7")
        expectMarked(holder.state.comparison as Any, texts: 1)
        await holder.resolve("7", .mine, seen: "other")
        expectMarked(holder.state, texts: 2)
    }

    @Test func whatIsAtHand() async {
        let item = FolderItem(
            id: ItemID("7"), name: "ω", mimeType: File.folderMimeType, size: 0, modifiedAt: Timestamp(seconds: 0))
        let kept = [1, 4].map {
            KeptItem(item: item, above: ["δ"], files: 4, filesHere: $0, bytes: 4000, bytesHere: Int64($0) * 1000)
        }
        let room = KeptHere(
            metadata: 5, metadataCap: 200_000_000, pending: 2000, pinned: 3000, freeable: 1_500_000, givenUp: 7)
        for isFetching in [true, false] {
            let look = OfflineLook(
                items: kept, room: room, free: 120_000_000_000, isFetching: isFetching, failure: Self.refused)
            let holder = OfflineFilesStateHolder(MadeUpOfflineFiles(look), words: .marked)
            await holder.open()
            expectMarked(holder.state, texts: 30)
            for act in [
                { await holder.keep([item.id]) }, { await holder.letGo([item.id]) }, { await holder.freeRoom() },
            ] {
                await act()
                expectMarked(holder.state.notice as Any, texts: 1)
            }
            await holder.limit(content: "no number", metadata: "")
            expectMarked(holder.state.notice as Any, texts: 1)
        }
    }

    @Test func whatAPersonIsToldOf() {
        for kind in NoticeKind.allCases {
            for count in [1, 3] {
                let (title, text) = Words.marked.notice(DeviceNotice(kind, count: count, name: "ω"))
                expectMarked([title, text], texts: 2, "\(kind)")
            }
        }
    }

    // MARK: - Names

    /// A name that looks like a gap took the number that was meant for the gap.
    @Test func aNameThatLooksLikeAGapStaysAName() {
        let notice = DeviceNotice(.conflict, count: 3, name: "draft #2")
        #expect(
            Words.english.notice(notice).text
                == "“draft #2” and 2 more were changed here and elsewhere.")
        #expect(Words.english.act(FolderAct(.movedHere(from: "a #1"), at: "b #2#")) == "moved a #1 to b #2#")
    }
}
