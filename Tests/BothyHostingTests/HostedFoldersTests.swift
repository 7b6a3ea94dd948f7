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
