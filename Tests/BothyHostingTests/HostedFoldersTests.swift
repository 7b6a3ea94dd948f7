import BothyClient
import BothyContract
import BothyHosting
import BothyServer
import FolderConformance
import Foundation
import Logging
import Testing

/// The server's own web app sees a drive as every face does.
@Suite struct HostedFoldersTests {
    @Test func itsWindowsAreTheListCutUp() async throws {
        try await inWorld { try await FolderConformance.windowsAreTheListCutUp($0) }
    }

    @Test func aFolderKnowsTheWayToIt() async throws {
        try await inWorld { try await FolderConformance.aFolderKnowsTheWayToIt($0) }
    }

    @Test func itsActionsDoAsTheySay() async throws {
        try await inWorld { try await FolderConformance.actionsDoAsTheySay($0) }
        try await FolderConformance.actionsDoAsTheySay(MadeUpFolders())
    }

    @Test func itsTrashHasItsWaysOut() async throws {
        try await inWorld { world in
            try await FolderConformance.theTrashHasItsWaysOut(
                world, until: world.services.clock.now().adding(seconds: 86_400))
        }
        try await FolderConformance.theTrashHasItsWaysOut(MadeUpFolders(), until: Timestamp(seconds: 0))
    }

    @Test func starsAreListedWhereverTheyLie() async throws {
        try await inWorld { try await FolderConformance.starsAreListedWhereverTheyLie($0) }
        try await FolderConformance.starsAreListedWhereverTheyLie(MadeUpFolders())
    }

    @Test func aFolderGoesBackToAMoment() async throws {
        try await inWorld { world in
            try await FolderConformance.aFolderGoesBackToAMoment(world, world.account.restores) {
                let now = world.services.clock.now()
                try await Task.sleep(for: .milliseconds(2))
                return now
            }
        }
    }

    @Test func whatIsThrownAwayAfterAPersonWasAskedStays() async throws {
        try await inWorld { world in
            let id = try await world.add("a", isFolder: false, bytes: 1, to: .root)
            let asked = Timestamp(milliseconds: world.services.clock.now().milliseconds - 1)
            try await world.actions.trash(id)
            #expect(try await world.trashCan.empty(until: asked) == 0)
            let page = try await world.trashCan.page(after: nil, limit: 9)
            #expect(page.items.map(\.item.name) == ["a"] && page.items[0].above.isEmpty)
            #expect(page.items[0].leavesAt.seconds - page.items[0].trashedAt.seconds >= 30 * 86_400 - 1)
        }
    }

    @Test func whatTakesRoomIsToldByWhatItIs() async throws {
        try await inWorld { world in
            let docs = try await world.add("docs", isFolder: true, bytes: 0, to: .root)
            try await world.put("a.txt", Array("hello".utf8), in: docs)
            try await world.put("a.txt", Array("hello again".utf8), in: docs)
            let gone = try await world.put("b.txt", Array("bye".utf8), in: .root)
            try await world.actions.trash(gone)
            let use = try await world.account.settings.storage(largest: 1)
            #expect(use.files.values.map(\.bytes) == [11] && use.trash == StorageUse.Part(count: 1, bytes: 3))
            #expect(use.versions == StorageUse.Part(count: 1, bytes: 5))
            #expect(use.largest.map(\.item.name) == ["a.txt"] && use.largest[0].above == ["docs"])
        }
    }

    @Test func aFilesHistoryIsToldAndBroughtBack() async throws {
        try await inWorld { world in
            let file = try await world.put("a.txt", Array("one".utf8), in: .root)
            try await world.put("a.txt", Array("two!".utf8), in: .root)
            let revisions = world.account.revisions
            let first = try await revisions.page(of: file, after: nil, limit: 1)
            #expect(first.items.map(\.size) == [4] && first.items[0].isCurrent && first.items[0].device == "Test")
            let second = try await revisions.page(of: file, after: first.next, limit: 1)
            #expect(second.items.map(\.size) == [3] && second.next == nil)
            #expect(try await revisions.beginning(of: second.items[0].id, of: file, most: 9) == Array("one".utf8))
            try await revisions.restore(second.items[0].id, of: file)
            #expect(try await world.folders.beginning(of: file, most: 9) == Array("one".utf8))
            #expect(try await revisions.page(of: file, after: nil, limit: 9).items.count == 3)
            let other = try await world.another()
            await #expect(throws: ClientFailure.self) {
                _ = try await other.account.revisions.page(of: file, after: nil, limit: 1)
            }
        }
    }

    @Test func aZipHoldsAFolderAndThoseUnderWayAreCounted() async throws {
        try await inWorld { world in
            let docs = try await world.add("docs", isFolder: true, bytes: 0, to: .root)
            try await world.put("a.txt", Array("hello".utf8), in: docs)
            let archives = world.account.archives
            let first = try await archives.zip([docs])
            #expect(first.disposition.contains("docs.zip"))
            var bytes = [UInt8]()
            try await first.send { bytes += $0.readableBytesView }
            #expect(Int64(bytes.count) == first.size && bytes.starts(with: [0x50, 0x4B, 3, 4]))
            let second = try await archives.zip([.root])
            await #expect(throws: ClientFailure.self) { _ = try await archives.zip([docs]) }
            withExtendedLifetime((first, second)) {}
        }
    }

    /// A ZIP has two bytes for the length of a path, and a drive may be deeper.
    @Test func aZipWithAPathThatNoZipCanHoldIsRefusedInWords() async throws {
        try await inWorld { world in
            var folder = ItemID.root
            for _ in 0..<270 {
                folder = try await world.add(String(repeating: "d", count: 250), isFolder: true, bytes: 0, to: folder)
            }
            await #expect {
                _ = try await world.account.archives.zip([.root])
            } throws: {
                ($0 as? ClientFailure)?.words.contains("one by one") == true
            }
        }
    }

    @Test func devicesAreListedAndSignedOutTogether() async throws {
        try await inWorld { world in
            let visitor = BrowserVisitor(network: "127.0.0.2", isLocal: true, name: "Other")
            let ticket = try await world.browsers.signIn(
                email: "one@example.org", password: HostedWorld.password, by: visitor)
            let settings = world.account.settings
            #expect(try await settings.devices().map(\.name) == ["Test", "Other"])
            #expect(try await settings.signOutOthers() == 1)
            #expect(try await settings.devices().map(\.isThis) == [true])
            let entered = try await world.browsers.enter(ticket)
            #expect(entered?.deviceId == nil)
        }
    }

    @Test(arguments: FileOrder.allCases)
    func newsLeadFromOneWindowToTheNext(_ order: FileOrder) async throws {
        try await inWorld { world in
            var random = SystemRandomNumberGenerator()
            try await FolderConformance.newsLeadFromOneWindowToTheNext(world, order: order, random: &random)
        }
    }

    @Test func theMadeUpFoldersOfScreenTestsAreHeldToTheSame() async throws {
        try await FolderConformance.windowsAreTheListCutUp(MadeUpFolders())
        try await FolderConformance.aFolderKnowsTheWayToIt(MadeUpFolders())
        var random = SystemRandomNumberGenerator()
        for order in FileOrder.allCases {
            try await FolderConformance.newsLeadFromOneWindowToTheNext(MadeUpFolders(), order: order, random: &random)
        }
    }

    @Test func whatIsHiddenIsLeftOutAndNothingIsPlacedBeforeIt() async throws {
        try await inWorld { world in
            let ids = try await ["a", "b", "c"].asyncMap {
                try await world.add($0, isFolder: false, bytes: 1, to: .root)
            }
            try await world.hide(ids[1])
            let window = try await world.folders.window(of: .root, order: .name, 0..<10)
            #expect(window.items.map(\.name) == ["a", "c"] && window.total == 2)
            var news = world.folders.news(of: .root, order: .name, after: window.mark).makeAsyncIterator()
            _ = try await world.add("aa", isFolder: false, bytes: 1, to: .root)
            guard case .changed(let change) = try await news.next()?.kind else {
                Issue.record("no news")
                return
            }
            #expect(change.placed.map(\.before) == [ids[2]])
        }
    }

    /// A page that was left open by who has signed in anew, in another window, went on hearing of the account.
    @Test(.timeLimit(.minutes(10))) func newsEndWithTheSignInThatAskedForThem() async throws {
        try await inWorld { world in
            let window = try await world.folders.window(of: .root, order: .name, 0..<10)
            var old = world.folders.news(of: .root, order: .name, after: window.mark).makeAsyncIterator()
            let visitor = BrowserVisitor(
                network: "127.0.0.1", isLocal: true, name: "Test", lastTicket: world.ticket)
            let ticket = try await world.browsers.signIn(
                email: "one@example.org", password: HostedWorld.password, by: visitor)
            _ = try await world.add("a", isFolder: false, bytes: 1, to: .root)
            let ended = try await old.next()
            #expect(ended == nil)
            let account = try #require(try await world.browsers.enter(ticket))
            #expect(account.deviceId == world.account.deviceId)
            var new = account.folders.news(of: .root, order: .name, after: window.mark).makeAsyncIterator()
            let told = try await new.next()
            #expect(told != nil)
        }
    }

    @Test func anAccountSeesNothingOfAnothers() async throws {
        try await inWorld { world in
            let secret = try await world.add("secret", isFolder: true, bytes: 0, to: .root)
            let other = try await world.another()
            await #expect(throws: ClientFailure.self) { _ = try await other.folders.folder(secret) }
            await #expect(throws: ClientFailure.self) { _ = try await other.folders.item(secret) }
            await #expect(throws: ClientFailure.self) {
                _ = try await other.folders.window(of: secret, order: .name, 0..<10)
            }
        }
    }

    private func inWorld(_ body: (HostedWorld) async throws -> Void) async throws {
        let world = try await HostedWorld.open()
        do {
            try await body(world)
        } catch {
            try await world.close()
            throw error
        }
        try await world.close()
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values = [Value]()
        for element in self { values.append(try await body(element)) }
        return values
    }
}
