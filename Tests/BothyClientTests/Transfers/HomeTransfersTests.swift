import BothyClient
import BothyContract
import Foundation
import Testing

/// What a home moves and what waits in its journal, as one list.
@Suite struct HomeTransfersTests {
    private struct Desk {
        var device: TestDevice
        var transfers: HomeTransfers

        /// - Parameter origin: where nobody answers, unless a test says otherwise.
        init(_ origin: String = "http://127.0.0.1:1", isOffline: Bool = true) async throws {
            device = try await TestDevice(origin)
            transfers = HomeTransfers(home: device.home, clock: device.clock) { isOffline }
        }

        var items: [DeviceTransfer] { get async throws { try await transfers.look(most: 100).items } }

        func put(_ name: String) async throws -> JournalOperation {
            let source = try device.folder.write("source-\(name)", [1, 2, 3])
            return try #require(try await device.home.replica.put(source, as: name, in: File.rootId))
        }
    }

    @Test func whatWaitsInTheJournalIsToldWithItsPlace() async throws {
        let desk = try await Desk()
        let folder = try #require(
            try await desk.device.home.replica.record(.createFolder(parent: .root, name: "Letters")))
        let source = try desk.device.folder.write("source", [1, 2, 3])
        let content = try await desk.device.home.replica.keep(source)
        try await desk.device.home.replica.record(
            .upload(parent: folder.subject, name: "a.txt", content: content, conflict: .fork))
        let items = try await desk.items
        #expect(items.map(\.name) == ["Letters", "a.txt"] && items.map(\.deed) == [.createFolder, .upload])
        #expect(items.map(\.above) == [[], ["Letters"]] && items.allSatisfy { $0.isChange && $0.localPath == nil })
        #expect(items.allSatisfy { $0.state == .paused(.offline) && $0.remedies == [.retry, .cancel] })
        #expect(items[1].bytesTotal == 3)
        let look = try await desk.transfers.look(most: 1)
        #expect(look.open == 2 && look.items.count == 1 && look.asking == 0)
        try await desk.device.close()
    }

    @Test func whatTheDeviceHoldsBackSaysSo() async throws {
        let desk = try await Desk(isOffline: false)
        let home = desk.device.home
        _ = try await desk.put("a.txt")
        let id = try await home.transfers.upload([
            UploadOrder(localPath: desk.device.folder.write("film", [1]), name: "film", parentId: File.rootId)
        ])[0]
        try await home.transfers.leaveBehind([id])
        _ = try await home.settings.setPause(seconds: nil)
        func changeFirst() async throws -> [DeviceTransfer] {
            try await desk.items.sorted { $0.isChange && !$1.isChange }
        }
        #expect(try await changeFirst().map(\.state) == [.held(.pause), .held(.pause)])
        #expect(try await changeFirst().map(\.remedies) == [[.cancel], [.resume, .cancel]])
        try await home.settings.liftPause()
        #expect(try await changeFirst().map(\.state) == [.waiting, .paused(.stopped)])
        try await desk.device.close()
    }

    @Test func whatIsGivenUpGoesAndItsContentIsKept() async throws {
        let desk = try await Desk()
        let operation = try await desk.put("a.txt")
        let id = try #require(try await desk.items.first?.id)
        try await desk.transfers.act(.cancel, on: id)
        #expect(try await desk.items.isEmpty)
        #expect(try await desk.device.home.replica.kept().givenUp > 0)
        await #expect { try await desk.transfers.act(.cancel, on: id) } throws: {
            ($0 as? ClientFailure)?.code == .transferNotFound
        }
        #expect(operation.content != nil)
        try await desk.device.close()
    }

    @Test func theOnlyCopiesThatGoWithItAreKnownBefore() async throws {
        let desk = try await Desk()
        let replica = desk.device.home.replica
        let folder = try #require(try await replica.record(.createFolder(parent: .root, name: "Letters")))
        let source = try desk.device.folder.write("source", [1, 2, 3])
        let content = try await replica.keep(source)
        try await replica.record(.upload(parent: folder.subject, name: "a.txt", content: content, conflict: .fork))
        let items = try await desk.items
        for item in items {
            #expect(try await desk.transfers.unsentCopies(givenUpWith: item.id) == [UnsentCopy(name: "a.txt")])
        }
        #expect(try await desk.transfers.unsentCopies(givenUpWith: "c999").isEmpty)
        #expect(try await desk.transfers.unsentCopies(givenUpWith: "of-a-transfer").isEmpty)
        try await desk.transfers.act(.cancel, on: items[1].id)
        #expect(try await desk.transfers.unsentCopies(givenUpWith: items[0].id).isEmpty, "only the folder is left")
        try await desk.device.close()
    }

    @Test func anUploadThatWasLeftBehindCanBeEnded() async throws {
        let server = try await FakeServer()
        let desk = try await Desk(server.origin, isOffline: false)
        let path = try desk.device.folder.write("film.mkv", [UInt8](repeating: 7, count: 100))
        let id = try await desk.device.home.transfers.upload([
            UploadOrder(localPath: path, name: "film.mkv", parentId: File.rootId)
        ])[0]
        _ = try await desk.device.rest(id)
        let over = try #require(try await desk.items.first)
        #expect(over.state == .done && over.localPath == path && over.remedies.isEmpty && over.deed == .upload)
        #expect(try await desk.transfers.look(most: 10).over == 1)
        #expect(try await desk.transfers.look(most: 0).over == 0, "not counted for who asks for none")
        try await desk.transfers.clear()
        #expect(try await desk.items.isEmpty)
        try await desk.device.close()
    }

    @Test func aFileThatIsGoneFailsInWordsAndIsTriedAgain() async throws {
        let server = try await FakeServer()
        let desk = try await Desk(server.origin, isOffline: false)
        let path = try desk.device.folder.write("film.mkv", [UInt8](repeating: 7, count: 6 << 20))
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let id = try await desk.device.home.transfers.upload([
            UploadOrder(localPath: path, name: "film.mkv", parentId: File.rootId)
        ])[0]
        _ = try await desk.device.rest(id)
        let failed = try #require(try await desk.items.first)
        #expect(failed.state == .failed && failed.failure?.code == .quotaExceeded)
        #expect(failed.remedies == [.retry, .startOver, .cancel])
        #expect(try await desk.transfers.look(most: 10).asking == 1)
        #expect(try await desk.transfers.look(most: 0).asking == 1)
        #expect(try await desk.transfers.actOnAll(.retry) == 1)
        #expect(try await desk.device.rest(id).state == .completed)
        #expect(try await desk.items.map(\.state) == [.done])
        try await desk.device.close()
    }

    @Test func aPausedOneIsResumedOrEnded() async throws {
        let desk = try await Desk()
        let path = try desk.device.folder.write("film.mkv", [1, 2, 3])
        let id = try await desk.device.home.transfers.upload([
            UploadOrder(localPath: path, name: "film.mkv", parentId: File.rootId)
        ])[0]
        try await desk.transfers.act(.pause, on: id)
        #expect(try await desk.items.map(\.state) == [.paused(.user)])
        try await desk.transfers.act(.cancel, on: id)
        #expect(try await desk.items.map(\.state) == [.canceled])
        await #expect { try await desk.transfers.act(.resume, on: id) } throws: {
            ($0 as? ClientFailure)?.code == .refused
        }
        try await desk.device.close()
    }

    @Test func onlyWhatChangesIsToldToWhoListens() async throws {
        let desk = try await Desk()
        var looks = desk.transfers.looks(most: 10).makeAsyncIterator()
        #expect(try await looks.next()?.items.isEmpty == true)
        _ = try await desk.put("a.txt")
        #expect(try await looks.next()?.items.map(\.name) == ["a.txt"])
        #expect(desk.device.clock.slept.contains(HomeTransfers.interval))
        try await desk.device.close()
    }
}
