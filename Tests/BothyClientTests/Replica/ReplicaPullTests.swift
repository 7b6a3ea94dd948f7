import BothyClient
import BothyContract
import Synchronization
import Testing

/// The cache and its cursor.
@Suite struct ReplicaPullTests {
    @Test func aLinkTakenPageByPageEndsAsTheWholeAndGoesOnWhereItWas() async throws {
        let drive = PaperDrive()
        let writer = try TestReplica(drive, device: "writer")
        let outer = try await writer.record(.createFolder(parent: .root, name: "outer"))
        let inner = try await writer.record(.createFolder(parent: outer, name: "inner"))
        for number in 0..<20 { _ = try await writer.put("f\(number)", [UInt8(number)], in: inner) }
        _ = try await writer.push()
        drive.faults.pageLimit = 3
        let reader = try TestReplica(drive, device: "reader")
        #expect(try await reader.puller.pull(pages: 2) == false)
        #expect(try await reader.store.state().isLinked == false)
        let effects = try await reader.pull()
        #expect(effects.count > 4 && effects.last?.hasMore == false)
        #expect(try await reader.store.state().isLinked)
        #expect(try await reader.shown() == drive.shownPaths(reader))
    }

    /// Each page is asked for while the one before is taken in. Meanwhile others change the drive, its log begins anew, or another of this
    /// device's programs reads on.
    @Test(arguments: PropertyCases.seeds(40))
    func whateverHappensWhileTheNextPageIsReadTheEndIsTheSame(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let drive = PaperDrive()
        let writer = try TestReplica(drive, device: "writer")
        for number in 0..<20 {
            let folder = try await writer.record(.createFolder(parent: .root, name: "d\(number)"))
            _ = try await writer.put("f", [UInt8(number)], in: folder)
        }
        _ = try await writer.push()
        drive.faults.pageLimit = 3
        let reader = try TestReplica(drive, device: "reader")
        let sibling = ReplicaPuller(store: reader.store, drive: reader.provider, clock: reader.clock)
        let meanwhile = (0..<30).map { _ in random.below(8) }
        let pages = Mutex(0)
        _ = try await reader.puller.pull { _ in
            let page = pages.withLock { page in
                defer { page += 1 }
                return page
            }
            guard page < meanwhile.count else { return }
            switch meanwhile[page] {
            case 0 where page < 3: drive.beginEpoch()
            case 1:
                let attic = drive.from("attic")
                _ = try await attic.createFolder(named: "t\(page)", in: File.rootId, requestId: "\(page)")
            case 2: _ = try await sibling.pull(pages: 1)
            default: break
            }
        }
        #expect(try await reader.store.state().isLinked)
        // What came after the last page was asked for.
        try await reader.pull()
        #expect(try await reader.shown() == drive.shownPaths(reader))
    }

    @Test func whatArrivesBeforeItsFolderIsHeldUntilThatArrives() async throws {
        let drive = PaperDrive()
        let writer = try TestReplica(drive, device: "writer")
        let file = try await writer.put("f", [1])
        _ = try await writer.push()
        try await writer.pull()
        let folder = try await writer.record(.createFolder(parent: .root, name: "younger"))
        try await writer.record(.move(parent: folder, name: nil), on: file)
        _ = try await writer.push()
        // The file's newest state comes with the first page, which its folder is not in.
        drive.faults.pageLimit = 2
        let reader = try TestReplica(drive, device: "reader")
        _ = try await reader.puller.pull(pages: 1)
        let id = try #require(try await writer.store.serverId(of: file))
        let held = try #require(try await reader.store.luid(ofServerId: id))
        #expect(try await reader.store.cached(held) != nil)
        #expect(try await reader.shown().isEmpty)
        try await reader.pull()
        #expect(try await reader.shown() == drive.shownPaths(reader))
    }

    @Test func whatANewEpochDoesNotTellOfIsForgottenAndNotDeleted() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        let kept = try await replica.put("kept", [1])
        let lost = try await replica.put("lost", [2])
        _ = try await replica.push()
        try await replica.pull()
        let link = try await replica.store.state().link
        let id = try #require(try await replica.store.serverId(of: lost))
        drive.lose(id)
        drive.beginEpoch()
        let effects = try await replica.pull()
        #expect(effects.flatMap(\.removed).isEmpty)
        #expect(effects.flatMap(\.forgotten) == [lost])
        #expect(try await replica.store.state().link == link + 1)
        #expect(try await replica.luid("/kept") == kept)
        #expect(try await replica.luid("/lost") == nil)
    }

    @Test func ownChangesAreTakenWithTheirCursorAndWhatOthersDidSinceComesWithTheNextPull() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        _ = try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.push()
        try await replica.pull()
        let before = try await replica.store.state()
        let id = try #require(try await replica.luid("/a"))
        let serverId = try #require(try await replica.store.serverId(of: id))
        _ = try await replica.provider.update(serverId, UpdateFileRequest(name: "b"), seen: nil, requestId: "r")
        _ = try await drive.from("attic").createFolder(named: "theirs", in: File.rootId, requestId: "t")
        #expect(try await replica.puller.takeOwnChanges())
        #expect(try await replica.shown() == ["/b/"])
        let after = try await replica.store.state()
        #expect(after.cursor != before.cursor && after.pulledAt == before.pulledAt && after.isLinked)
        #expect(try await replica.puller.takeOwnChanges() == false)
        try await replica.pull()
        #expect(try await replica.shown() == drive.shownPaths(replica))
    }

    @Test func ownChangesBehindSomebodyElsesAreNotTaken() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        let before = try await replica.store.state()
        _ = try await drive.from("attic").createFolder(named: "theirs", in: File.rootId, requestId: "t")
        _ = try await replica.provider.createFolder(named: "mine", in: File.rootId, requestId: "m")
        #expect(try await replica.puller.takeOwnChanges() == false)
        #expect(try await replica.store.state() == before)
        try await replica.pull()
        #expect(try await replica.shown() == ["/mine/", "/theirs/"])
    }

    @Test func ownChangesAreTakenInAsFarAsTheyJoinWhileSomebodyElseWorksToo() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        _ = try await replica.record(.createFolder(parent: .root, name: "a"))
        _ = try await replica.push()
        try await replica.pull()
        for name in ["b", "c"] {
            _ = try await replica.provider.createFolder(named: name, in: File.rootId, requestId: name)
        }
        _ = try await drive.from("attic").createFolder(named: "theirs", in: File.rootId, requestId: "t")
        _ = try await replica.provider.createFolder(named: "d", in: File.rootId, requestId: "d")
        #expect(try await replica.puller.takeOwnChanges() == false)
        #expect(try await replica.puller.takeOwnChanges(.soFar))
        #expect(try await replica.shown() == ["/a/", "/b/", "/c/"])
        #expect(try await replica.puller.takeOwnChanges(.soFar) == false)
        try await replica.pull()
        #expect(try await replica.shown() == ["/a/", "/b/", "/c/", "/d/", "/theirs/"])
    }

    @Test func nothingIsTakenBeforeEverythingWasToldOnce() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        _ = try await replica.provider.createFolder(named: "mine", in: File.rootId, requestId: "m")
        #expect(try await replica.puller.takeOwnChanges() == false)
        #expect(try await replica.store.state().cursor == nil)
    }

    @Test func whatWasDeletedForGoodIsRemovedWithAllThatLayBelow() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        let inner = try await replica.record(.createFolder(parent: folder, name: "b"))
        let file = try await replica.put("c", [1], in: inner)
        let moved = try await replica.put("out", [2], in: inner)
        _ = try await replica.push()
        try await replica.pull()
        let other = try TestReplica(drive, device: "phone")
        try await other.pull()
        let out = try #require(try await other.luid("/a/b/out"))
        try await other.record(.move(parent: .root, name: nil), on: out)
        _ = try await other.push()
        let id = try #require(try await replica.store.serverId(of: folder))
        try await replica.provider.deletePermanently(id, seen: .anything, requestId: "purge")
        drive.faults.pageLimit = 1
        let effects = try await replica.pull()
        #expect(Set(effects.flatMap(\.removed)) == [folder, inner, file])
        #expect(try await replica.luid("/out") == moved)
    }

    /// A folder is told as gone, and further on in the log as there again: what lies in it never went.
    @Test func whatLiesInAFolderThatCameBackBeforeTheLogsEndStays() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        let folder = try await replica.record(.createFolder(parent: .root, name: "a"))
        let file = try await replica.put("c", [1], in: folder)
        _ = try await replica.push()
        try await replica.pull()
        let id = try #require(try await replica.store.serverId(of: folder))
        let kept = drive.state.withLock { state in
            state.log += [id, File.rootId]
            return state.nodes.removeValue(forKey: id)
        }
        drive.faults.pageLimit = 1
        #expect(try await replica.puller.pull(pages: 1) == false)
        #expect(try await replica.luid("/a") == nil)
        drive.state.withLock { state in
            state.nodes[id] = kept
            state.log.append(id)
        }
        try await replica.pull()
        #expect(try await replica.luid("/a/c") == file)
        #expect(try await replica.shown() == drive.shownPaths(replica))
    }

    @Test func aCursorMovesWithItsPageOrNotAtAll() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        _ = try await replica.put("a", [1])
        _ = try await replica.push()
        let page = try await replica.provider.changes(after: nil)
        let now = replica.clock.now()
        #expect(
            try await replica.store.take(
                page, after: nil, of: DriveIdentity(accountId: "paper#1", name: "paper", deviceId: "laptop"), now: now)
                != nil)
        // The same page, asked for by another process that was slower.
        #expect(
            try await replica.store.take(
                page, after: nil, of: DriveIdentity(accountId: "paper#1", name: "paper", deviceId: "laptop"), now: now)
                == nil)
    }

    @Test func whatAPageTellsOfAnEarlierStateIsNotTakenIn() async throws {
        let replica = try TestReplica(PaperDrive())
        let file = try await replica.put("a", [1])
        _ = try await replica.push()
        let early = try await replica.provider.changes(after: nil)
        try await replica.pull()
        try await replica.record(.rename(name: "b"), on: file)
        _ = try await replica.push()
        try await replica.pull()
        _ = try await replica.store.take(
            early, after: try await replica.store.state().cursor,
            of: DriveIdentity(accountId: "paper#1", name: "paper", deviceId: "laptop"), now: replica.clock.now())
        #expect(try await replica.luid("/b") == file)
    }

    @Test func aReplicaOfOneAccountIsNeverFedFromAnother() async throws {
        let replica = try TestReplica(PaperDrive())
        _ = try await replica.store.take(
            try await replica.provider.changes(after: nil), after: nil,
            of: DriveIdentity(accountId: "paper#2", name: "paper", deviceId: "laptop"), now: replica.clock.now())
        await #expect { try await replica.pull() } throws: { ($0 as? ClientFailure)?.code == .accountRefused }
    }
}

extension PaperDrive {
    func shownPaths(_ replica: TestReplica) -> [String] { replica.fetched() }
}
