import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

/// What a made-up device keeps.
final class MadeUpOfflineFiles: OfflineFiles {
    private let told: [OfflineLook]
    private let failure: ClientFailure?
    private let heard = Mutex([String]())

    init(_ told: OfflineLook..., failure: ClientFailure? = nil) {
        self.told = told
        self.failure = failure
    }

    var asked: [String] { heard.withLock { $0 } }

    private func ask(_ text: String) throws {
        if let failure { throw failure }
        heard.withLock { $0.append(text) }
    }

    func look() async throws -> OfflineLook {
        if let failure { throw failure }
        return told[0]
    }

    func looks() -> AsyncThrowingStream<OfflineLook, any Error> {
        AsyncThrowingStream { stream in
            for look in told { stream.yield(look) }
            stream.finish()
        }
    }

    func keep(_ ids: [ItemID]) async throws { try ask("keep \(ids)") }
    func letGo(_ ids: [ItemID]) async throws { try ask("let go \(ids)") }

    func setLimits(_ limits: RoomLimits) async throws {
        try ask("limit \(limits.content) \(limits.metadata ?? -1)")
    }

    func freeRoom() async throws -> Int64 {
        try ask("free")
        return 1_500_000
    }
}

@MainActor @Suite struct OfflineFilesStateHolderTests {
    private nonisolated static let offline = ClientFailure(.offline, "There is no connection.")

    private nonisolated static func kept(here: Int, of files: Int) -> KeptItem {
        let item = FolderItem(
            id: ItemID("7"), name: "Letters", mimeType: File.folderMimeType, size: 0, modifiedAt: Timestamp(seconds: 0))
        return KeptItem(
            item: item, above: ["Home"], files: files, filesHere: here, bytes: Int64(files) * 1000,
            bytesHere: Int64(here) * 1000)
    }

    private nonisolated static func look(
        _ items: [KeptItem] = [], room: KeptHere = KeptHere(), isFetching: Bool = false, failure: ClientFailure? = nil
    ) -> OfflineLook {
        OfflineLook(items: items, room: room, free: 120_000_000_000, isFetching: isFetching, failure: failure)
    }

    private func opened(_ files: MadeUpOfflineFiles) async -> OfflineFilesStateHolder {
        let holder = OfflineFilesStateHolder(files, words: .english)
        await holder.open()
        return holder
    }

    @Test func nothingKeptSaysHowToKeepSomething() async {
        let state = await opened(MadeUpOfflineFiles(Self.look())).state
        #expect(state.isEmpty && state.rooms.isEmpty && state.free == "120 GB are free on its disk.")
    }

    @Test func eachSaysHowMuchOfItIsHere() async throws {
        let whole = try #require(
            await opened(MadeUpOfflineFiles(Self.look([Self.kept(here: 4, of: 4)]))).state.rows.first)
        #expect(whole.detail == "Completely downloaded" && whole.percent == nil && whole.place == "Files / Home")
        let part = try #require(
            await opened(MadeUpOfflineFiles(Self.look([Self.kept(here: 1, of: 4)]))).state.rows.first)
        #expect(part.detail == "1 of 4 files downloaded" && part.percent == 25 && part.size == "4 kB")
    }

    @Test func whyTheRestIsNotHereIsSaidUnlessItIsOnItsWay() async {
        let some = [Self.kept(here: 1, of: 4)]
        let stuck = await opened(MadeUpOfflineFiles(Self.look(some, failure: Self.offline))).state
        #expect(stuck.trouble?.text == "There is no connection.")
        let coming = await opened(MadeUpOfflineFiles(Self.look(some, isFetching: true, failure: Self.offline))).state
        #expect(coming.trouble == nil && coming.rows[0].detail == "1 of 4 files downloaded, the rest is in progress")
    }

    @Test func whatTakesRoomIsToldAndWhatCanGoCanBeFreed() async {
        let room = KeptHere(
            metadata: 5, metadataCap: 200_000_000, pending: 2000, pinned: 3000, freeable: 1_500_000, givenUp: 7)
        let files = MadeUpOfflineFiles(Self.look(room: room))
        let holder = await opened(files)
        #expect(holder.state.rooms.map(\.kind) == [.kept, .atHand, .pending, .givenUp, .known])
        #expect(holder.state.rooms.filter(\.canFree).map(\.kind) == [.atHand])
        let leads = holder.state.rooms.map { $0.lead ?? "" }
        #expect(leads[1].hasPrefix("It is removed automatically when there is more than 1 GB of it"))
        #expect(leads[4].hasPrefix("At most 200 MB. Folders"))
        await holder.freeRoom()
        #expect(files.asked == ["free"] && holder.state.notice?.text == "1.5 MB freed.")
    }

    @Test func whatMayBeKeptIsChosenOfWhatThereIs() async {
        let room = KeptHere(metadata: 5_000_000, metadataCap: 60_000_000)
        var look = Self.look(room: room)
        look.limits = RoomLimits(metadata: 20_000_000, content: 0)
        let files = MadeUpOfflineFiles(look)
        let holder = await opened(files)
        #expect(holder.state.contentLimits.map(\.name) == ["Nothing", "250 MB", "1 GB", "5 GB", "20 GB"])
        #expect(holder.state.contentLimits.filter(\.isChosen).map(\.id) == ["0"])
        #expect(
            holder.state.metadataLimits.map(\.name) == ["10 MB", "20 MB", "50 MB", "The server’s limit"],
            "what was typed elsewhere is one of them, what the server does not allow is none")
        #expect(holder.state.metadataLimits.filter(\.isChosen).map(\.name) == ["20 MB"])
        #expect(holder.state.rooms.first?.lead?.hasPrefix("At most 20 MB.") == true)
        await holder.limit(content: "5000000000", metadata: "")
        #expect(files.asked == ["limit 5000000000 -1"])
        #expect(holder.state.notice == Notice("The limit was saved."))
        for nonsense in [("", ""), ("1 GB", ""), ("0", "lots")] {
            await holder.limit(content: nonsense.0, metadata: nonsense.1)
        }
        #expect(files.asked.count == 1, "what is no choice changes nothing")
    }

    @Test func keepingAndLettingGoAreSaid() async {
        let files = MadeUpOfflineFiles(Self.look())
        let holder = await opened(files)
        await holder.keep([ItemID("7"), ItemID("8")])
        #expect(holder.state.notice?.text == "2 items are kept offline.")
        await holder.letGo([ItemID("7")])
        #expect(
            holder.state.notice?.text == "1 item is no longer kept offline."
                && files.asked == ["keep [7, 8]", "let go [7]"])
        await holder.keep([])
        #expect(holder.state.notice == Notice("Choose something first.", tone: .failure))
    }

    @Test func whileItIsFollowedOnlyWhatChangesIsTold() async throws {
        let files = MadeUpOfflineFiles(
            Self.look([Self.kept(here: 1, of: 2)]), Self.look([Self.kept(here: 1, of: 2)]),
            Self.look([Self.kept(here: 2, of: 2)]))
        let holder = OfflineFilesStateHolder(files, words: .english)
        var told = [String]()
        try await holder.follow { told.append($0.rows[0].detail) }
        #expect(told == ["1 of 2 files downloaded", "Completely downloaded"])
    }

    @Test func whatFailsIsSaid() async {
        let holder = await opened(MadeUpOfflineFiles(failure: Self.offline))
        #expect(holder.state.standing == .failed(Words.english.failure(Self.offline)))
        await holder.letGo([ItemID("7")])
        #expect(holder.state.notice == Words.english.failure(Self.offline))
    }
}
