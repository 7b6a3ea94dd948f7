import BothyClient
import BothyContract
import FolderConformance
import Foundation
import RealServing
import Testing

/// A browser on a device sees the drive as every face does, with a connection and without one.
@Suite(.timeLimit(.minutes(10))) struct DeviceBrowsingTests {
    @Test func itsWindowsAreTheListCutUp() async throws {
        try await alone { try await FolderConformance.windowsAreTheListCutUp($0) }
    }

    @Test func aFolderKnowsTheWayToIt() async throws {
        try await alone { try await FolderConformance.aFolderKnowsTheWayToIt($0) }
    }

    @Test func itsActionsDoAsTheySay() async throws {
        try await alone { try await FolderConformance.actionsDoAsTheySay($0) }
    }

    @Test func itsTrashHasItsWaysOut() async throws {
        try await alone { world in
            try await FolderConformance.theTrashHasItsWaysOut(world, until: Timestamp(seconds: 1 << 33))
        }
    }

    @Test func starsAreListedWhereverTheyLie() async throws {
        try await alone { try await FolderConformance.starsAreListedWhereverTheyLie($0) }
    }

    @Test(arguments: FileOrder.allCases)
    func newsLeadFromOneWindowToTheNext(_ order: FileOrder) async throws {
        try await alone { world in
            var random = SystemRandomNumberGenerator()
            try await FolderConformance.newsLeadFromOneWindowToTheNext(world, order: order, random: &random)
        }
    }

    @Test func withAConnectionAllOfItIsTheSame() async throws {
        let server = try await RealServer()
        try await connected(to: server, as: "windows") { try await FolderConformance.windowsAreTheListCutUp($0) }
        try await connected(to: server, as: "way") { try await FolderConformance.aFolderKnowsTheWayToIt($0) }
        try await connected(to: server, as: "actions") { try await FolderConformance.actionsDoAsTheySay($0) }
        try await connected(to: server, as: "trash") { world in
            try await FolderConformance.theTrashHasItsWaysOut(world, until: Timestamp(seconds: 1 << 33))
        }
        try await connected(to: server, as: "own") {
            try await FolderConformance.whatWasDoneFromHereGoesWithItsFolder($0)
        }
        try await connected(to: server, as: "stars") { try await FolderConformance.starsAreListedWhereverTheyLie($0) }
        try await connected(to: server, as: "news") { world in
            var random = SystemRandomNumberGenerator()
            try await FolderConformance.newsLeadFromOneWindowToTheNext(world, order: .name, random: &random)
        }
        await server.stop()
    }

    @Test func aFolderGoesBackToAMoment() async throws {
        let server = try await RealServer()
        try await connected(to: server, as: "back") { world in
            try await FolderConformance.aFolderGoesBackToAMoment(world, world.account.restores) {
                try await Task.sleep(for: .milliseconds(2))
                let now = SystemClock().now()
                try await Task.sleep(for: .milliseconds(2))
                return now
            }
        }
        await server.stop()
    }

    @Test func withoutAConnectionNobodyKnowsHowThingsWere() async throws {
        try await alone { world in
            let (clock, docs) = (SystemClock().now(), try await world.add("docs", isFolder: true, bytes: 0, to: .root))
            await #expect {
                _ = try await world.account.restores.plan(to: clock, of: .root)
            } throws: {
                ($0 as? ClientFailure)?.code == .offline
            }
            await #expect {
                _ = try await world.account.restores.plan(to: clock, of: docs)
            } throws: {
                ($0 as? ClientFailure)?.words.contains("has not been sent yet") == true
            }
        }
    }

    @Test func anUploadGoesOnWhereItWasAndIsThereAtOnce() async throws {
        try await alone { world in
            let bytes = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            try await UploadConformance.theSameFileGoesOn(world.account.uploads, world.folders, bytes: bytes)
        }
        try await alone { world in
            try await UploadConformance.aTakenNameIsSettledAsSaid(world.account.uploads, world.folders)
        }
    }

    @Test func givingUpAnUploadTouchesNothingElseAndWhatIsNobodysGoes() async throws {
        try await alone { world in
            let content = world.home.directory + "/content"
            for path in ["held/kept", "arriving/nobodys"] {
                #expect(FileManager.default.createFile(atPath: "\(content)/\(path)", contents: Data([1])))
            }
            try await world.account.uploads.cancel("../held/kept")
            try await world.account.uploads.cancel("nobody")
            #expect(FileManager.default.fileExists(atPath: content + "/held/kept"))
            #expect(!FileManager.default.fileExists(atPath: content + "/arriving/nobodys"))
        }
    }

    @Test func whatWasUploadedHereReachesTheServerByItself() async throws {
        let server = try await RealServer()
        try await connected(to: server, as: "anna") { world in
            let file = UploadConformance.file("a.txt", Array("hello".utf8))
            var item: FolderItem?
            for try await standing in world.account.uploads.upload(file, to: .root, conflict: .fail) {
                item = standing.item
            }
            #expect(item?.isWaiting == true)
            try await world.sync()
            let window = try await world.folders.window(of: .root, order: .name, 0..<9)
            #expect(window.items.map(\.id) == [item?.id] && window.items.map(\.isWaiting) == [false])
            #expect(try await world.home.files.file(at: RemotePath("/a.txt")).size == 5)
        }
        await server.stop()
    }

    @Test func whatWasNeverSentComesBackFromTheTrash() async throws {
        try await alone { world in
            let file = try await world.put("a.txt", Array("hello".utf8))
            try await world.actions.trash(file)
            #expect(try await world.trashCan.page(after: nil, limit: 9).items.map(\.item.name) == ["a.txt"])
            _ = try await world.actions.untrash(file)
            #expect(try await world.folders.beginning(of: file, most: 9) == Array("hello".utf8))
        }
    }

    @Test func anOpenFolderHearsThatOneAboveItWentAway() async throws {
        try await alone { world in
            let outer = try await world.add("outer", isFolder: true, bytes: 0, to: .root)
            let inner = try await world.add("inner", isFolder: true, bytes: 0, to: outer)
            let seen = try await world.folders.window(of: inner, order: .name, 0..<9)
            var news = world.folders.news(of: inner, order: .name, after: seen.mark).makeAsyncIterator()
            _ = try await world.actions.rename(outer, to: "other")
            #expect(try await news.next()?.kind == .everything)
            try await world.actions.trash(outer)
            var last: FolderEvent.Kind?
            while let event = try await news.next() { last = event.kind }
            #expect(last == .gone)
        }
    }

    @Test func aMarkOfAnotherTimeIsToldToLookAgain() async throws {
        try await alone { world in
            for mark in ["", "nonsense", "1-2", "1-2-3"] {
                var news = world.folders.news(of: .root, order: .name, after: FolderMark(mark)).makeAsyncIterator()
                let first = try await news.next()
                #expect(first?.kind == .everything)
            }
        }
    }

    @Test func aSearchFindsWhatIsKnownHereAndNothingFromTheTrash() async throws {
        try await alone { world in
            let docs = try await world.add("Äpfel 2024", isFolder: true, bytes: 0, to: .root)
            try await world.put("TaxReport2024.pdf", [1], in: docs)
            let gone = try await world.put("tax old.txt", [1])
            try await world.actions.trash(gone)
            let found = try await world.account.search.find("tax 2024", limit: 9, reach: .here)
            #expect(found.items.map(\.item.name) == ["TaxReport2024.pdf"] && found.items[0].above == ["Äpfel 2024"])
            #expect(
                try await world.account.search.find("apfel", limit: 9, reach: .here).items.map(\.item.name) == [
                    "Äpfel 2024"
                ])
            #expect(try await world.account.search.find("100%_", limit: 9, reach: .here).items.isEmpty)
        }
    }

    @Test func aZipHoldsWhatIsHere() async throws {
        try await alone { world in
            let docs = try await world.add("docs", isFolder: true, bytes: 0, to: .root)
            try await world.put("a.txt", Array("hello".utf8), in: docs)
            let archive = try await world.account.archives.zip([docs])
            var bytes = [UInt8]()
            try await archive.send { bytes += $0.readableBytesView }
            #expect(Int64(bytes.count) == archive.size && bytes.starts(with: [0x50, 0x4B, 3, 4]))
        }
    }

    @Test func whatOnlyTheServerHasIsServedThroughThisDevice() async throws {
        let server = try await RealServer()
        let (kitchen, laptop) = (
            try await server.device("kitchen", register: true), try await server.device("laptop", register: false)
        )
        let large = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 7) }
        let there = try await DeviceWorld(kitchen, isConnected: true)
        try await there.put("small.txt", Array("hello".utf8))
        try await there.put("large.bin", large)
        let here = try await DeviceWorld(laptop, isConnected: true)
        let items = try await here.folders.window(of: .root, order: .name, 0..<9).items
        #expect(items.map(\.name) == ["large.bin", "small.txt"])
        #expect(try await here.account.search.find("small", limit: 9, reach: .here).items.map(\.isAtHand) == [false])
        #expect(try await here.folders.beginning(of: items[1].id, most: 99) == Array("hello".utf8))
        #expect(try await here.account.search.find("small", limit: 9, reach: .here).items.map(\.isAtHand) == [true])
        guard case .here(let content) = try await here.account.content(items[0].id, nil) else {
            Issue.record("it is elsewhere")
            return
        }
        var part = [UInt8]()
        try await content.send((3 << 20)..<(8 << 20) + 5) { part += $0.readableBytesView }
        #expect(part == Array(large[(3 << 20)..<(8 << 20) + 5]))
        await server.stop()
        #expect(try await here.folders.beginning(of: items[1].id, most: 99) == Array("hello".utf8))
        await #expect {
            _ = try await here.folders.beginning(of: items[0].id, most: 9)
        } throws: {
            ($0 as? ClientFailure)?.words.contains("not on this device") == true
        }
        try await kitchen.close()
        try await laptop.close()
    }

    private func alone(_ body: (DeviceWorld) async throws -> Void) async throws {
        let world = try await DeviceWorld.alone()
        try await body(world)
        try await world.home.close()
    }

    /// With an account of its own.
    private func connected(
        to server: RealServer, as name: String, _ body: (DeviceWorld) async throws -> Void
    ) async throws {
        let home = try await server.device(name, register: true, email: "\(name)@example.org")
        try await body(try await DeviceWorld(home, isConnected: true))
        try await home.close()
    }
}
