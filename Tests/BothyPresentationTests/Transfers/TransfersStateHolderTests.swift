import BothyClient
import BothyContract
@testable import BothyPresentation
import Synchronization
import Testing

/// Transfers that are what a test says, told one look after the other.
final class MadeUpTransfers: DeviceTransfers {
    private struct State {
        var looks: [TransfersLook]
        var failure: ClientFailure?
        var copies = [UnsentCopy]()
        var asked = [String]()
    }

    private let state: Mutex<State>

    init(_ looks: [TransfersLook], failure: ClientFailure? = nil) {
        state = Mutex(State(looks: looks, failure: failure))
    }

    convenience init(_ items: DeviceTransfer...) {
        self.init([TransfersLook(items: items, open: items.count { !$0.isOver }, asking: 0, over: 0)])
    }

    var asked: [String] { state.withLock { $0.asked } }
    func keep(_ copies: UnsentCopy...) { state.withLock { $0.copies = copies } }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    private func ask(_ text: String) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.asked.append(text)
        }
    }

    func look(most: Int) async throws -> TransfersLook {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.looks[0]
        }
    }

    func looks(most: Int) -> AsyncThrowingStream<TransfersLook, any Error> {
        AsyncThrowingStream { stream in
            for look in state.withLock({ $0.looks }) { stream.yield(look) }
            stream.finish()
        }
    }

    func act(_ remedy: TransferRemedy, on id: DeviceTransfer.ID) async throws { try ask("\(remedy.rawValue) \(id)") }

    func unsentCopies(givenUpWith id: DeviceTransfer.ID) async throws -> [UnsentCopy] {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.copies
        }
    }

    func actOnAll(_ remedy: TransferRemedy) async throws -> Int {
        try ask("\(remedy.rawValue) all")
        return 2
    }

    func clear() async throws { try ask("clear") }
}

@MainActor @Suite struct TransfersStateHolderTests {
    private nonisolated static let refused = ClientFailure(.quotaExceeded, "There is no room for it on the server.")

    nonisolated private static func transfer(
        _ state: DeviceTransfer.State, id: String = "t1", deed: DeviceTransfer.Deed = .upload,
        name: String = "film.mkv",
        above: [String]? = nil, done: Int64 = 0, onTheWay: Int64 = 0, total: Int64? = nil, isChange: Bool = false
    ) -> DeviceTransfer {
        DeviceTransfer(
            id: id, deed: deed, name: name, above: above, localPath: above == nil ? "/home/anna/\(name)" : nil,
            state: state, bytesDone: done, bytesOnTheWay: onTheWay, bytesTotal: total,
            failure: state == .failed ? refused : nil,
            since: Timestamp(seconds: 60), updatedAt: Timestamp(seconds: 120), isChange: isChange)
    }

    private func holder(_ transfers: MadeUpTransfers, seconds: [Int64] = [3600]) -> TransfersStateHolder {
        let left = Mutex(seconds)
        return TransfersStateHolder(transfers, words: .english) {
            let second = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return PersonsClock(now: Timestamp(seconds: second), zone: .gmt)
        }
    }

    private func row(_ transfer: DeviceTransfer) async throws -> TransfersState.Row {
        let holder = holder(MadeUpTransfers(transfer))
        await holder.open()
        return try #require((holder.state.rows + holder.state.over).first)
    }

    private nonisolated static let states: [(DeviceTransfer.State, String, [TransferRemedy])] =
        [
            (.waiting, "Queued", [.pause, .cancel]),
            (.preparing, "Preparing", [.pause, .cancel]), (.moving, "Transferring", [.pause, .cancel]),
            (.checking, "Verifying", [.pause, .cancel]),
            (.paused(.user), "Paused by you", [.resume, .cancel]),
            (.paused(.stopped), "Interrupted", [.resume, .cancel]),
            (.held(.pause), "Waiting until this device is resumed", [.resume, .cancel]),
            (.held(.battery), "Waiting for power", [.resume, .cancel]),
            (.paused(.offline), "Waiting for a connection", [.pause, .cancel]),
            (.paused(.serverBusy), "The server is busy, retrying automatically", [.pause, .cancel]),
            (
                .paused(.tooManyUploads), "Your account has too many open uploads, retrying automatically",
                [.pause, .cancel]
            ),
            (.paused(.signInNeeded), "Waiting for you to sign in", [.resume, .cancel]),
            (.failed, refused.words, [.retry, .startOver, .cancel]),
            (.conflict, "Waiting for you to decide", [.decide]),
            (.done, "Done 00:02", []), (.canceled, "Canceled 00:02", []),
        ]

    @Test(arguments: states.indices)
    func everyStateHasWordsAndWhatCanBeDone(_ number: Int) async throws {
        let (state, words, remedies) = Self.states[number]
        let row = try await row(Self.transfer(state))
        #expect(row.detail == words && row.remedies.map(\.kind) == remedies)
        #expect(row.remedies.allSatisfy { !$0.label.isEmpty })
        #expect((row.advice != nil) == (state == .failed), "where something is to be done, it is said")
    }

    @Test(
        arguments: [
            (.upload, "Upload"), (.newVersion, "New version"), (.download, "Download"), (.createFolder, "New folder"),
            (.move, "Move"), (.trash, "Move to trash"), (.restore, "Restore from trash"),
            (.rename(to: "b\u{202E}"), "Rename to “b⟨U+202E⟩”"), (.star(true), "Star"),
            (.star(false), "Remove star"),
            (.hide(true), "Hide"), (.hide(false), "Show"),
        ] as [(DeviceTransfer.Deed, String)])
    func everyDeedHasWords(_ deed: DeviceTransfer.Deed, _ words: String) async throws {
        let row = try await row(Self.transfer(.waiting, deed: deed, above: ["Letters"], isChange: true))
        #expect(row.about == "\(words) · Files / Letters")
        #expect(row.remedies.map(\.label) == ["Discard"], "what waits in the journal is not held one by one")
    }

    @Test func anEmptyListSaysSo() async {
        let holder = holder(MadeUpTransfers())
        await holder.open()
        #expect(holder.state.isEmpty && holder.state.count == "All done")
    }

    @Test func aPausedOneTellsHowFarItIs() async throws {
        let row = try await row(Self.transfer(.paused(.user), done: 3_000_000, total: 10_000_000))
        #expect(row.detail == "Paused by you · 3 MB of 10 MB" && row.percent == 30)
    }

    @Test func whileItIsFollowedItsPaceIsTold() async throws {
        let looks = [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000].map { done in
            TransfersLook(
                items: [Self.transfer(.moving, done: done / 2, onTheWay: done / 2, total: 10_000_000)], open: 1,
                asking: 0, over: 0)
        }
        let holder = holder(MadeUpTransfers(looks), seconds: [100, 101, 102, 103, 104])
        var told = [String]()
        try await holder.follow { _, now in told.append(now.rows[0].detail) }
        #expect(
            told == [
                "0 B of 10 MB", "1 MB of 10 MB", "2 MB of 10 MB", "3 MB of 10 MB · 1 MB/s · 7 s left",
                "4 MB of 10 MB · 1 MB/s · 6 s left",
            ])
        #expect(holder.state.rows[0].percent == 40)
    }

    /// Two pieces of 8 MB each, side by side on a line of 0.4 MB/s, as another process writes down what arrived.
    @Test func onASlowLineThePaceIsNotThatOfTwoPiecesThatArriveTogether() async throws {
        let looks = [0, 8, 16, 24, 32, 40].map { done in
            TransfersLook(
                items: [Self.transfer(.moving, done: done * 1_000_000, total: 80_000_000)], open: 1, asking: 0, over: 0)
        }
        let holder = holder(MadeUpTransfers(looks), seconds: [100, 119, 121, 159, 161, 199])
        var told = [String]()
        try await holder.follow { _, now in told.append(now.rows[0].detail) }
        #expect(told[0...2].allSatisfy { !$0.contains("left") }, "\(told)")
        #expect(told[3].contains("211 kB/s") && told[4].contains("400 kB/s"), "\(told)")
        #expect(told[5].contains("211 kB/s"), "\(told)")
    }

    @Test func aPaceAfterAStopIsThatOfNow() {
        var pace = UploadPace()
        for second in 0...10 { pace.add(Int64(second) * 100, at: Double(second)) }
        #expect(pace.rate == 100)
        for second in 11...30 { pace.add(1000 + Int64(second - 10) * 10, at: Double(second)) }
        #expect(pace.rate == 10)
        pace.add(500, at: 31)
        #expect(pace.rate == nil, "some of it is sent again")
    }

    @Test func whatIsNowhereElseIsAskedAbout() async throws {
        let some = MadeUpTransfers(Self.transfer(.waiting, isChange: true))
        let holder = holder(some)
        #expect(await holder.question(about: "c1") == nil, "nothing would be lost")
        some.keep(UnsentCopy(name: "only\u{202E} copy.txt"))
        let one = try #require(await holder.question(about: "c1"))
        #expect(one.heading == "Discard “only⟨U+202E⟩ copy.txt”?" && one.yes == "Discard")
        #expect(one.lead.hasPrefix("It was never sent: its only copy is on this device."))
        some.keep(UnsentCopy(name: "letter.txt", isVersion: true))
        #expect(try #require(await holder.question(about: "c1")).lead.hasPrefix("Its changes were never sent"))
        some.keep(UnsentCopy(name: "a"), UnsentCopy(name: "b"))
        #expect(try #require(await holder.question(about: "c1")).heading == "Discard 2 files?")
        #expect(some.asked.isEmpty && holder.state.notice == nil)
        some.fail(with: ClientFailure(.homeUnusable, "The home is gone."))
        #expect(await holder.question(about: "c1") == nil && holder.state.notice?.text == "The home is gone.")
    }

    @Test func whatLooksTheSameIsNotToldAgain() async throws {
        let look = TransfersLook(items: [Self.transfer(.waiting)], open: 1, asking: 0, over: 0)
        let holder = holder(MadeUpTransfers([look, look]))
        var count = 0
        try await holder.follow { _, _ in count += 1 }
        #expect(count == 1)
    }

    /// The status counted a post that waits, and this page said that all is done.
    @Test func whatWaitsAndIsNoTransferIsCountedApart() async {
        let look = TransfersLook(
            items: [], open: 0, asking: 0, over: 0,
            others: FeedActions(count: 2, places: [.feed, .post(7)]))
        let holder = holder(MadeUpTransfers([look]))
        await holder.open()
        #expect(holder.state.count == "No transfers")
        #expect(
            holder.state.others?.text
                == "2 actions in the feed wait to be sent, such as posts and likes. They are no transfers.")
        #expect(holder.state.others?.links.map(\.label) == ["Feed", "Comment"])
        #expect(holder.state.others?.links.map(\.destination) == [.feed, .post(7)] && holder.state.refused == nil)
    }

    /// It was said to wait to be sent, and never was.
    @Test func whatWasRefusedInTheFeedIsNotSaidToWait() async {
        let look = TransfersLook(
            items: [], open: 0, asking: 0, over: 0, refused: FeedActions(count: 2, places: [.post(7), .post(8)]))
        let holder = holder(MadeUpTransfers([look]))
        await holder.open()
        #expect(holder.state.count == "No transfers" && holder.state.others == nil)
        #expect(
            holder.state.refused?.text == "2 actions in the feed were refused. “bothy feed outbox” lists them.")
        #expect(holder.state.refused?.links.map(\.label) == ["Comment 1", "Comment 2"])
    }

    @Test func moreThanAreShownAreCounted() async {
        let holder = holder(
            MadeUpTransfers([TransfersLook(items: [Self.transfer(.waiting)], open: 121, asking: 0, over: 0)]))
        await holder.open()
        #expect(holder.state.more == "and 120 more" && holder.state.count == "121 not finished")
    }

    @Test func whatCanBeDoneToSeveralIsOfferedForAll() async {
        let some = MadeUpTransfers(
            Self.transfer(.failed, id: "a"), Self.transfer(.failed, id: "b"), Self.transfer(.moving, id: "c"))
        let holder = holder(some)
        await holder.open()
        #expect(holder.state.forAll.map(\.label) == ["Retry all"])
        await holder.actOnAll(.retry)
        #expect(some.asked == ["retry all"] && holder.state.notice?.text == "Done, for 2 of them.")
    }

    @Test func whatIsAskedIsDoneAndWhatFailsIsSaid() async {
        let some = MadeUpTransfers(Self.transfer(.moving))
        let holder = holder(some)
        await holder.act(.pause, on: "t1")
        await holder.clear()
        #expect(some.asked == ["pause t1", "clear"] && holder.state.notice == nil)
        some.fail(with: ClientFailure(.transferNotFound, "It is over."))
        await holder.act(.pause, on: "t1")
        #expect(holder.state.notice?.text == "It is over." && holder.state.rows.count == 1)
    }

    @Test func aListThatCannotBeReadSaysWhy() async {
        let holder = holder(MadeUpTransfers([], failure: ClientFailure(.homeUnusable, "The home is gone.")))
        await holder.open()
        guard case .failed(let notice) = holder.state.standing else {
            Issue.record("it opened all the same")
            return
        }
        #expect(notice.text == "The home is gone.")
    }
}
