import BothyClient
import BothyContract
import BothyPresentation
import FolderConformance
import Synchronization
import Testing

/// Every state of an upload, and every way in which it fails, without a browser.
@MainActor @Suite struct UploadStateHolderTests {
    private let folders = MadeUpFolders()
    private let uploads: MadeUpUploads

    init() { uploads = MadeUpUploads(folders) }

    private func holder() -> UploadStateHolder {
        let now = Mutex(0.0)
        return UploadStateHolder(uploads, words: .english) {
            now.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private func file(_ name: String, _ count: Int = 10, at seconds: Int64 = 1) -> UploadFile {
        UploadConformance.file(name, Array(repeating: 0x61, count: count), at: seconds)
    }

    private func names() async throws -> [String] {
        try await folders.window(of: .root, order: .name, 0..<100).items.map(\.name)
    }

    @Test func filesGoUpAndAreThere() async throws {
        let holder = holder()
        holder.upload((0..<8).map { file("f\($0)") }, to: .root)
        #expect(holder.state.rows.count { $0.phase == .sending } == UploadStateHolder.mostAtOnce)
        #expect(holder.state.total == 80 && holder.state.sent == 0)
        await holder.rest()
        #expect(try await names() == (0..<8).map { "f\($0)" })
        for row in holder.state.rows {
            guard case .finished = row.phase else {
                Issue.record("\(row)")
                return
            }
            #expect(row.share == 1 && row.detail == "10 B")
        }
        holder.clearFinished()
        #expect(holder.state.rows.isEmpty)
    }

    @Test func progressIsTold() {
        #expect(Words.english.progress(3_200_000, of: 10_000_000, rate: nil) == "3.2 MB of 10 MB")
        #expect(Words.english.progress(3_200_000, of: 10_000_000, rate: 1e6) == "3.2 MB of 10 MB · 1 MB/s · 7 s left")
        #expect(Words.english.progress(0, of: 120_000_000, rate: 1e6).hasSuffix("2 min left"))
        #expect(Words.english.progress(0, of: 10_000_000_000, rate: 1e6).hasSuffix("3 h left"))
    }

    @Test func aTakenNameIsAskedAbout() async throws {
        for name in ["a", "b", "c", "d"] { folders.put(name) }
        let holder = holder()
        holder.upload(["a", "b", "c", "d", "e"].map { file($0) }, to: .root)
        await holder.rest()
        #expect(holder.state.question?.name == "a")
        await holder.answer(.replace, forAll: false)
        #expect(holder.state.question?.name == "b")
        await holder.answer(.keepBoth, forAll: false)
        #expect(holder.state.question?.name == "c")
        await holder.answer(.skip, forAll: true)
        await holder.rest()
        #expect(holder.state.question == nil)
        #expect(try await names() == ["a", "b", "b (1)", "c", "d", "e"])
        #expect(try await folders.window(of: .root, order: .name, 0..<1).items[0].size == 10)
    }

    /// A batch that broke off was chosen again: it asked about each file that had come, and made a second version of it.
    @Test func whatIsThereAlreadyIsNeitherAskedAboutNorSent() async throws {
        let (same, other) = (Array(repeating: UInt8(0x61), count: 10), Array(repeating: UInt8(0x62), count: 10))
        let there = folders.put("a", text: same)
        folders.put("b", text: other)
        folders.put("empty")
        folders.put("folder", isFolder: true)
        let holder = holder()
        holder.upload([file("a"), file("b"), file("empty", 0), file("new"), file("folder")], to: .root)
        await holder.rest()
        #expect(
            holder.state.rows.filter { $0.phase == .asking }.map(\.name) == ["b", "folder"],
            "only of what is something else it is asked")
        let row = try #require(holder.state.rows.first { $0.name == "a" })
        #expect(row.phase == .finished(there) && row.detail == "It already existed.")
        #expect(try await Set(names()) == ["a", "b", "empty", "folder", "new"])
    }

    @Test func whatWasSaidForAllHoldsForThoseThatFollow() async throws {
        for name in ["a", "z"] { folders.put(name) }
        let holder = holder()
        holder.upload([file("a"), file("z", 400)], to: .root)
        while holder.state.question == nil { await Task.yield() }
        await holder.answer(.keepBoth, forAll: true)
        await holder.rest()
        #expect(try await names() == ["a", "a (1)", "z", "z (1)"])
        // And not for those of another day.
        holder.upload([file("a", at: 9)], to: .root)
        await holder.rest()
        #expect(holder.state.question?.name == "a")
    }

    @Test func whatFailsSaysWhyAndGoesOnWhereItWas() async throws {
        let holder = holder()
        uploads.fail(with: ClientFailure(.quotaExceeded, "There is no room left."), atChunk: 1)
        holder.upload([file("a")], to: .root)
        await holder.rest()
        let row = holder.state.rows[0]
        guard case .failed(let notice, let fromScratch) = row.phase else {
            Issue.record("\(row)")
            return
        }
        #expect(notice.text == "There is no room left." && notice.remedy != nil && !fromScratch)
        #expect(row.sent == 4)
        holder.resume(row.id)
        await holder.rest()
        #expect(try await names() == ["a"] && uploads.canceled.isEmpty)
    }

    @Test func whatIsSpoiledBeginsFromScratch() async throws {
        let holder = holder()
        uploads.fail(with: ClientFailure(.integrityMismatch, "It came out otherwise."), atChunk: 1)
        holder.upload([file("a")], to: .root)
        await holder.rest()
        guard case .failed(_, fromScratch: true) = holder.state.rows[0].phase else {
            Issue.record("\(holder.state.rows)")
            return
        }
        await holder.startOver(holder.state.rows[0].id)
        await holder.rest()
        #expect(uploads.canceled == ["u1"])
        #expect(try await names() == ["a"])
    }

    @Test func pausingStopsAndGoingOnGoesOn() async throws {
        let gate = Gate()
        let slow = UploadFile(name: "a", size: 10, modifiedAt: Timestamp(seconds: 1)) { range in
            if range.lowerBound > 0 { await gate.pass() }
            return Array(repeating: 0x61, count: Int(range.upperBound - range.lowerBound))
        }
        let holder = holder()
        holder.upload([slow], to: .root)
        while holder.state.rows[0].sent == 0 { await Task.yield() }
        holder.pause(holder.state.rows[0].id)
        #expect(holder.state.rows[0].phase == .paused && holder.state.rows[0].detail == "Paused")
        await gate.open()
        await holder.rest()
        #expect(holder.state.rows[0].phase == .paused)
        #expect(try await names().isEmpty)
        holder.resume(holder.state.rows[0].id)
        await holder.rest()
        #expect(try await names() == ["a"])
    }

    @Test func cancelingTakesAwayWhatCame() async throws {
        let holder = holder()
        uploads.fail(with: ClientFailure(.offline, "There is no way to the server."), atChunk: 1)
        holder.upload([file("a")], to: .root)
        await holder.rest()
        await holder.cancel(holder.state.rows[0].id)
        #expect(holder.state.rows.isEmpty && uploads.canceled == ["u1"])
        #expect(try await names().isEmpty)
    }

    @Test func whatWasBrokenOffIsThereAgainAndGoesOnWithItsFile() async throws {
        uploads.fail(with: ClientFailure(.offline, "There is no way to the server."), atChunk: 1)
        let before = holder()
        before.upload([file("a")], to: .root)
        await before.rest()
        let holder = holder()
        await holder.open()
        await holder.open()
        #expect(holder.state.rows.map(\.phase) == [.unfinished])
        #expect(holder.state.rows[0].detail == "4 B of 10 B uploaded. Choose the same file again to resume.")
        holder.upload([file("a")], to: .root)
        #expect(holder.state.rows.count == 1)
        await holder.rest()
        #expect(try await names() == ["a"])
    }

    @Test func aNameThatDeceivesIsSpeltOut() async {
        let holder = holder()
        holder.upload([file("photo\u{202E}gpj.exe")], to: .root)
        #expect(holder.state.rows[0].name == "photo⟨U+202E⟩gpj.exe")
        await holder.rest()
    }
}

/// Closed until it is opened.
private actor Gate {
    private var isOpen = false
    private var waiting = [CheckedContinuation<Void, Never>]()

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }
}
