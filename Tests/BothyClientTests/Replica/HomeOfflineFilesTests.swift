import BothyClient
import BothyContract
import Foundation
import Testing

/// What is kept at hand, as a screen is told of it.
@Suite struct HomeOfflineFilesTests {
    /// A folder with three files of another device's, known here and not held.
    private func desk() async throws -> (here: TestEngine, folder: LUID, files: HomeOfflineFiles) {
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        let made = try await there.makeFolder("Letters")
        for number in 1...3 {
            try await there.put("\(number).txt", Array(repeating: 7, count: 1000 * number), in: made)
        }
        try await there.sync()
        try await here.sync()
        let folder = try #require(try await here.engine.file(at: RemotePath("/Letters"))).luid
        var environment = ClientEnvironment.live
        environment.clock = here.clock
        let settings = DeviceSettings(
            database: try .inMemory(), conditions: TrafficConditions(bytesPerSecond: nil, clock: here.clock),
            clock: here.clock)
        return (
            here, folder,
            HomeOfflineFiles(
                replica: here.engine, settings: settings, directory: here.folder.file("content"),
                environment: environment)
        )
    }

    @Test func whatMayBeKeptIsChosenAndHoldsAtOnce() async throws {
        let (here, folder, files) = try await desk()
        #expect(try await files.look().limits == RoomLimits())
        try await files.keep([folder.item])
        await files.rest()
        let one = try #require(try await here.engine.file(at: RemotePath("/Letters/1.txt")))
        try await files.letGo([folder.item])
        try await files.keep([one.luid.item])
        #expect(try await files.look().room.freeable > 0)
        let little = RoomLimits(metadata: 2_000_000, content: 0)
        try await files.setLimits(little)
        let look = try await files.look()
        #expect(look.limits == little && look.room.freeable == 0)
        #expect(look.items.map(\.isWhole) == [true], "what is kept stays, whatever it takes")
    }

    @Test(arguments: [RoomLimits(metadata: 999_999), RoomLimits(content: -1)])
    func aDeviceIsNotLeftWithTooLittle(_ limits: RoomLimits) async throws {
        let (here, _, files) = try await desk()
        await #expect {
            try await files.setLimits(limits)
        } throws: {
            ($0 as? ClientFailure)?.code == .refused
        }
        #expect(try await files.look().limits == RoomLimits())
        withExtendedLifetime(here) {}
    }

    @Test func whatIsKeptIsFetchedWithAllThatIsInIt() async throws {
        let (here, folder, files) = try await desk()
        #expect(try await files.look().items.isEmpty)
        try await files.keep([folder.item])
        await files.rest()
        let look = try await files.look()
        let kept = try #require(look.items.first)
        #expect(kept.id == folder.item && kept.item.name == "Letters" && kept.isWhole)
        #expect(kept.files == 3 && kept.bytes == 6000 && !look.isFetching && look.failure == nil)
        #expect(look.room.pinned >= 6000 && look.room.freeable == 0 && look.free > 0)
        here.drive.faults.offline = true
        let one = try #require(try await here.engine.file(at: RemotePath("/Letters/1.txt")))
        #expect(try await here.bytes(one.luid)?.count == 1000)
    }

    @Test func withoutAConnectionItIsKeptAllTheSameAndFetchedLater() async throws {
        let (here, folder, files) = try await desk()
        here.drive.faults.offline = true
        try await files.keep([folder.item])
        await files.rest()
        let waiting = try await files.look()
        #expect(waiting.items.first?.filesHere == 0 && waiting.failure?.code == .offline)
        here.drive.faults.offline = false
        try await files.keepUp()
        await files.rest()
        let look = try await files.look()
        #expect(look.items.first?.isWhole == true && look.failure == nil)
    }

    @Test func oneThatCannotBeFetchedKeepsNoOtherFromIt() async throws {
        let (here, folder, files) = try await desk()
        let first = try #require(try await here.engine.file(at: RemotePath("/Letters/1.txt")))
        here.drive.state.withLock { $0.nodes[first.serverId ?? ""] = nil }
        try await files.keep([folder.item])
        await files.rest()
        let look = try await files.look()
        #expect(look.items.first?.filesHere == 2 && look.failure?.code == .notFound)
    }

    @Test func whatComesLaterIsFetchedToo() async throws {
        let (here, folder, files) = try await desk()
        try await files.keep([folder.item])
        await files.rest()
        let there = try TestEngine(here.drive, device: "tablet")
        try await there.sync()
        try await there.put(
            "4.txt", [1, 2, 3], in: try #require(try await there.engine.file(at: RemotePath("/Letters"))).luid)
        try await there.sync()
        try await here.engine.pull()
        #expect(try await files.look().items.first?.filesHere == 3)
        try await files.keepUp()
        await files.rest()
        #expect(try await files.look().items.first?.filesHere == 4)
    }

    @Test func whatIsLetGoStaysForAWhileAndItsRoomCanBeFreed() async throws {
        let (here, folder, files) = try await desk()
        try await files.keep([folder.item])
        await files.rest()
        try await files.letGo([folder.item])
        let look = try await files.look()
        #expect(look.items.isEmpty && look.room.pinned == 0 && look.room.freeable >= 6000)
        #expect(try await files.freeRoom() == look.room.freeable)
        #expect(try await files.look().room.freeable == 0)
        #expect(try await files.freeRoom() == 0)
        #expect(try here.entries(here.content.heldFolder).isEmpty)
    }

    @Test func freeingTakesNothingThatIsKept() async throws {
        let (here, folder, files) = try await desk()
        try await files.keep([folder.item])
        await files.rest()
        #expect(try await files.freeRoom() == 0)
        #expect(try await files.look().items.first?.isWhole == true)
        #expect(try here.entries(here.content.heldFolder).count == 3)
    }

    @Test func whatIsKeptByItsFolderSaysSo() async throws {
        let (here, folder, files) = try await desk()
        try await files.keep([folder.item])
        let one = try #require(try await here.engine.file(at: RemotePath("/Letters/1.txt")))
        await #expect { try await files.letGo([one.luid.item]) } throws: {
            ($0 as? ClientFailure)?.words == "“1.txt” is kept offline as part of the folder “Letters”."
        }
        await files.rest()
    }

    @Test func anIdOfNothingIsNotFound() async throws {
        let (here, _, files) = try await desk()
        for id in ["", "x", "-1", "007", "99999"] {
            await #expect { try await files.keep([ItemID(id)]) } throws: { ($0 as? ClientFailure)?.code == .notFound }
        }
        #expect(try await here.engine.pins().isEmpty)
    }
}
