import BothyClient
import BothyContract
import FolderConformance
import Testing

@testable import BothyPresentation

/// Files: lists, what goes up, the trash, searching, versions, going back, one file.
extension OneCatalogueTests {
    @Test func aList() async {
        let folders = MadeUpFolders()
        let ids = ["α", "β", "γ"].map { folders.put($0, text: [1]) }
        let holder = FileListStateHolder(
            .root, folders: folders, actions: folders, words: .marked, clock: Self.clock)
        await holder.open()
        expectMarked(holder.state, texts: 4)
        let acts: [() async -> Void] = [
            { _ = await holder.rename(ids[0], to: "β") }, { _ = await holder.makeFolder(named: "δ") },
            { await holder.copy([ids[0]], to: .root) }, { await holder.trash([ids[2]]) },
            { await holder.untrash([ids[2]]) }, { await holder.move([ids[1]], to: ItemID("nowhere")) },
        ]
        for (number, act) in acts.enumerated() {
            holder.dismissNotice()
            await act()
            expectMarked(holder.state, texts: 4, "act \(number)")
        }
    }

    @Test func details() async {
        let folders = MadeUpFolders()
        let file = folders.put("α", mimeType: "ω/ω", text: [1], in: folders.put("δ", isFolder: true))
        for id in [file, .root, ItemID("nobody")] {
            let holder = FileDetailsStateHolder(
                id, folders: folders, transfers: nil, words: .marked, clock: Self.clock)
            await holder.open()
            expectMarked(holder.state, texts: 2, "\(id)")
        }
    }

    @Test func choosingAFolder() async {
        let folders = MadeUpFolders()
        folders.put("δ", isFolder: true)
        for id in [.root, ItemID("nobody")] {
            let holder = FolderPickerStateHolder(id, moving: [], heading: "α", folders: folders, words: .marked)
            await holder.open()
            expectMarked(holder.state, texts: 3, "\(id)")
        }
    }

    // MARK: - Going up

    @Test func uploads() async {
        let folders = MadeUpFolders()
        folders.put("α")
        let uploads = MadeUpUploads(folders)
        uploads.fail(with: Self.refused, atChunk: 1)
        let holder = UploadStateHolder(uploads, words: .marked) { 1 }
        holder.upload(
            ["α", "β", "γ", "δ", "ε"].map { UploadConformance.file($0, [1, 2, 3, 4, 5]) }, to: .root)
        holder.pause(holder.state.rows[4].id)
        expectMarked(holder.state, texts: 10)
        await holder.rest()
        let phases = holder.state.rows.map(\.phase)
        #expect(phases.contains(.asking) && phases.contains(.paused))
        #expect(phases.contains { if case .failed = $0 { true } else { false } })
        expectMarked(holder.state, texts: 13)
        let anew = UploadStateHolder(uploads, words: .marked) { 1 }
        await anew.open()
        #expect(anew.state.rows.map(\.phase) == [.unfinished])
        expectMarked(anew.state, texts: 2)
    }

    @Test(arguments: [1, 100_000, 100_000_000] as [Int64])
    func howFarItIs(_ total: Int64) {
        expectMarked(Words.marked.progress(0, of: total, rate: 1000), texts: 1)
    }

    @Test func whatIsTooLarge() {
        let failure = ClientFailure(.fileTooLarge, "Too large.").with {
            $0.problem = Problem(.fileTooLarge, "Too large.")
            $0.problem?.limit = 5_000_000
        }
        expectMarked(Words.marked.failure(failure), texts: 2)
    }

    // MARK: - Lost and found

    @Test func theTrash() async throws {
        let folders = MadeUpFolders()
        let ids = ["α", "β", "γ"].map { folders.put($0, text: [1]) }
        for id in ids { try await folders.trash(id) }
        let holder = TrashStateHolder(folders, words: .marked, clock: Self.clock)
        await holder.open()
        expectMarked(holder.state, texts: 12)
        let acts: [() async -> Void] = [
            { await holder.bringBack([]) }, { await holder.bringBack([ids[0]]) },
            { await holder.deleteForGood([ids[1]]) }, { await holder.empty(until: Self.clock.now) },
            { await holder.deleteForGood(ids) },
        ]
        for (number, act) in acts.enumerated() {
            await act()
            expectMarked(holder.state.notice as Any, texts: 1, "act \(number)")
        }
        folders.fail(with: Self.refused)
        let refused = TrashStateHolder(folders, words: .marked, clock: Self.clock)
        await refused.open()
        expectMarked(refused.state, texts: 2)
    }

    @Test func starred() async {
        let folders = MadeUpFolders()
        let file = folders.put("α", text: [1], in: folders.put("δ", isFolder: true))
        _ = try? await folders.setStarred(true, file)
        let holder = StarredStateHolder(folders.stars, actions: folders, words: .marked, clock: Self.clock)
        await holder.open()
        expectMarked(holder.state, texts: 3)
        await holder.takeStarAway(from: file)
        expectMarked(holder.state.notice as Any, texts: 1)
        folders.fail(with: Self.refused)
        let refused = StarredStateHolder(folders.stars, actions: folders, words: .marked, clock: Self.clock)
        await refused.open()
        expectMarked(refused.state, texts: 2)
    }

    private struct Findings: FileSearching {
        var found: SearchFindings?

        func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings {
            guard let found else { throw OneCatalogueTests.refused }
            return found
        }
    }

    @Test func search() async {
        let item = FolderItem(
            id: ItemID("7"), name: "αβ", mimeType: File.defaultMimeType, size: 5, modifiedAt: Self.then)
        let found = [true, false].map {
            FoundItem(item: item, folder: .root, above: ["δ"], isAtHand: $0, match: .text)
        }
        let holder = SearchStateHolder(
            Findings(found: SearchFindings(items: found, isComplete: false, texts: .unanswered(Self.refused))),
            words: .marked,
            clock: Self.clock)
        await holder.search("α")
        expectMarked(holder.state, texts: 15)
        let refused = SearchStateHolder(Findings(), words: .marked, clock: Self.clock)
        await refused.search("α")
        expectMarked(refused.state, texts: 3)
    }

    // MARK: - What was before

    @Test func versions() async {
        let (folders, revisions) = (MadeUpFolders(), MadeUpRevisions())
        let file = folders.put("α", mimeType: "text/plain", text: [1], in: folders.put("δ", isFolder: true))
        let first = revisions.put("α", from: "λ")
        revisions.put("β", from: nil)
        func opened(_ file: ItemID) async -> RevisionsStateHolder {
            let holder = RevisionsStateHolder(
                file, folders: folders, revisions: revisions, words: .marked, clock: Self.clock)
            await holder.open()
            return holder
        }
        let holder = await opened(file)
        expectMarked(holder.state, texts: 7)
        for revision in [first, "nobody"] {
            await holder.restore(revision)
            expectMarked(holder.state.notice as Any, texts: 1, revision)
        }
        expectMarked(await opened(ItemID("nobody")).state, texts: 2)
        revisions.fail(with: ClientFailure(.offline, "There is no connection."))
        expectMarked(await opened(file).state, texts: 7, "away")
    }

    @Test func comparing() async {
        let long = String(repeating: "β\n", count: 1 << 20)
        for (old, new) in [("α\nβ\n", "α\nγ\n"), ("α", "α"), ("α", "\u{0}"), ("α", long)] { await compare(old, new) }
    }

    private func compare(_ old: String, _ new: String) async {
        let (folders, revisions) = (MadeUpFolders(), MadeUpRevisions())
        let file = folders.put("α")
        revisions.put(old, from: "λ")
        revisions.put(new, from: nil)
        for older in [nil, "nobody"] {
            let holder = ComparisonStateHolder(
                file, folders: folders, revisions: revisions, words: .marked, clock: Self.clock)
            await holder.compare(older: older, newer: nil)
            expectMarked(holder.state, texts: 7)
        }
    }

    private nonisolated static let changes: [RestoreChange] =
        [
            RestoreChange(
                fileId: "1", isFolder: false, action: .putBack, aspects: RestoreChange.Aspect.allCases, path: "/δ/β",
                pastPath: "/α"),
            RestoreChange(fileId: "2", isFolder: false, action: .trash, path: "/γ"),
            RestoreChange(fileId: "3", isFolder: true, action: .recreate, pastPath: "/δ"),
            RestoreChange(fileId: "4", isFolder: false, action: .lost, pastPath: "/ε"),
            RestoreChange(
                fileId: "5", isFolder: false, action: .putBack, aspects: [.content], path: "/ζ", outcome: .skipped),
        ]

    @Test func goingBackToAMoment() async {
        let (folders, restores) = (MadeUpFolders(), MadeUpRestores())
        let folder = folders.put("δ", isFolder: true)
        func holder(_ item: ItemID) -> RestoreStateHolder {
            RestoreStateHolder(item, folders: folders, restores: restores, words: .marked, clock: Self.clock)
        }
        for item in [.root, folder, ItemID("nobody")] {
            let holder = holder(item)
            await holder.open()
            expectMarked(holder.state, texts: 2, "\(item)")
        }
        restores.changes = Self.changes
        for count in [0, 1, 3] {
            let counts = RestoreCounts(
                putBack: count, trashed: count, recreated: count, lost: count, done: 1, skipped: count)
            for state in [DriveRestore.State.planning, .planned, .running, .finished] {
                restores.answer(state, counts, before: "c1")
                let holder = holder(folder)
                await holder.show("r1")
                expectMarked(holder.state, texts: 13 + (count == 0 ? 0 : 5), "\(state), \(count)")
            }
        }
        let refused = holder(.root)
        _ = await refused.plan(to: nil)
        expectMarked(refused.state.notice as Any, texts: 1)
        for failure in [Self.refused, ClientFailure(.offline, "No answer.")] {
            restores.failure = failure
            _ = await refused.carryOut("r1")
            expectMarked(refused.state.notice as Any, texts: 1, "\(failure.code)")
            await refused.show("r1")
            expectMarked(refused.state.standing, texts: 1, "\(failure.code)")
        }
    }

    // MARK: - One file

    @Test(
        arguments: [
            "image/png", "video/mp4", "audio/mpeg", "application/pdf", "text/plain", "text/markdown", "text/css",
            "application/zip", "application/msword", "text/csv", "application/vnd.ms-powerpoint", "ω/ω",
        ])
    func oneFile(_ type: String) async {
        let folders = MadeUpFolders()
        let file = folders.put("α", mimeType: type, text: Array("# β\n\n- γ\n".utf8))
        func opened(_ id: ItemID) async -> PreviewState {
            let holder = PreviewStateHolder(id, folders: folders, words: .marked, clock: Self.clock)
            await holder.open()
            return holder.state
        }
        expectMarked(await opened(file), texts: 5)
        folders.withhold(file, ClientFailure(.offline, "There is no connection."))
        expectMarked(await opened(file), texts: 5, "away")
        for other in [folders.put("δ", isFolder: true), ItemID("nobody")] {
            expectMarked(await opened(other), texts: 2, "\(other)")
        }
    }
}
