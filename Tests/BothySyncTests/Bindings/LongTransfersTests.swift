import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// What goes on beside the passes of a watched folder, and what came of it.
@Suite struct LongTransfersTests {
    private static let large = LongTransfers.least

    private func upload(
        _ name: String, _ size: Int64 = large, over id: String? = nil, in folder: String? = "f", inode: UInt64 = 7
    ) -> Action {
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(inode: inode, size: size)))
        let spot = Spot(Place(text: name), folderId: folder, remoteName: NodeName(name))
        return Action(.upload(at: spot, mine: mine, over: id.map { theirs($0, 1) }, insteadOf: nil), .createdHere)
    }

    private func download(_ name: String, _ size: Int64 = large, id: String = "d", revision: String = "r") -> Action {
        var theirs = theirs(id, size)
        theirs.revisionId = revision
        let spot = Spot(Place(text: name), folderId: "f", remoteName: NodeName(name))
        return Action(.download(at: spot, theirs: theirs, over: nil), .createdThere)
    }

    private func theirs(_ id: String, _ size: Int64) -> RemoteFingerprint {
        RemoteFingerprint(RemoteFacts(id: id, kind: .file, size: size))
    }

    private func began(_ long: inout LongTransfers, _ actions: Action..., task: Task<Void, Never> = Task {}) throws
        -> [String]
    {
        try actions.map { action in
            let key = try #require(LongTransfers.key(of: action))
            long.began(LongTransfers.Begun(action: action, request: "request of \(key)"), as: key, task)
            return key
        }
    }

    @Test func onlyWhatIsLargeGoesBeside() {
        let long = LongTransfers()
        let (small, large) = (upload("small", Self.large - 1), upload("large"))
        let fetched = download("fetched")
        #expect(long.beside([small, large, fetched], isLinking: false) == [large, fetched])
        #expect(long.beside([small, large, fetched], isLinking: true) == [])
        let huge = download("huge", LongTransfers.leastWhileLinking)
        #expect(long.beside([large, huge], isLinking: true) == [huge])
    }

    @Test func whatElseAPlanDoesWithAFileComesFirst() {
        let long = LongTransfers()
        let edit = upload("a", over: "id")
        let spot = Spot(Place(text: "a"), folderId: "f", remoteName: NodeName("a"))
        let renaming = Action(.moveRemote(theirs("id", 1), at: Place(text: "a"), to: spot, settles: true), .movedHere)
        let way = Action(.trashRemote(theirs("other", 1), at: Place(text: "b"), count: 1), .deletedHere)
        let new = upload("b")
        let free = download("c")
        let orphan = upload("new/d", in: nil)
        let plan = [renaming, edit, way, new, free, orphan]
        #expect(long.next(of: [edit, new, free, orphan], in: plan, at: 0) == [free])
        #expect(long.next(of: [edit, new, free], in: [edit, new, free], at: 0) == [edit, new, free])
    }

    @Test func aFewGoOnAtTheSameTime() throws {
        var long = LongTransfers()
        let all = (0..<10).map { upload("\($0)", inode: UInt64($0)) }
        let first = long.next(of: all, in: all, at: 0)
        #expect(first.count == LongTransfers.most)
        let keys = try first.map { try began(&long, $0)[0] }
        #expect(long.next(of: all, in: all, at: 0) == [])
        #expect(long.beside(all, isLinking: false) == all)
        long.ended(keys[0], with: nil)
        #expect(long.next(of: all, in: all, at: 0) == [all[LongTransfers.most]])
    }

    @Test func whatCameOfOneIsTakenUpOnce() throws {
        var long = LongTransfers()
        let (sent, lost) = (upload("sent"), download("lost"))
        let keys = try began(&long, sent, lost)
        let early = long.takeEnd(of: keys[0])
        #expect(early == nil)
        long.ended(keys[0], with: nil)
        long.ended(keys[1], with: ClientFailure(.offline, "gone"))
        #expect(long.beside([sent, lost], isLinking: false) == [])
        let ends = keys.map { long.takeEnd(of: $0) }
        #expect(throws: Never.self) { try #require(ends[0]).get() }
        #expect(throws: ClientFailure(.offline, "gone")) { try #require(ends[1]).get() }
        let again = long.takeEnd(of: keys[1])
        #expect(again == nil)
        #expect(long.beside([sent, lost], isLinking: false) == [sent, lost])
    }

    /// Its task ends after it was let go, with what cutting it off made of it: to the next plan that is nothing.
    @Test func whatNoPlanWantsIsCutOffAndLeavesNoEnd() async throws {
        var long = LongTransfers()
        let (wanted, unwanted) = (download("a"), download("a", revision: "older"))
        let endless = Task { while !Task.isCancelled { await Task.yield() } }
        let keys = try began(&long, wanted, unwanted, task: endless)
        #expect(keys[0] != keys[1])
        let gone = long.letGo(but: [keys[0]])
        #expect(gone.map(\.begun.action) == [unwanted])
        for one in gone { one.task.cancel() }
        for one in gone { await one.task.value }
        long.ended(keys[1], with: CancellationError())
        let end = long.takeEnd(of: keys[1])
        #expect(end == nil && long.beside([unwanted], isLinking: false) == [unwanted])
        #expect(Set(long.running.keys) == [keys[0]])
        _ = long.letGo()
        #expect(long.running.isEmpty)
    }

    @Test func theSameBytesAreTheSameTransferWhateverElseIsSaidOfTheFile() {
        #expect(LongTransfers.key(of: download("a")) == LongTransfers.key(of: download("b")))
        #expect(LongTransfers.key(of: upload("a")) == LongTransfers.key(of: upload("b")))
        #expect(LongTransfers.key(of: upload("a", over: "id")) != LongTransfers.key(of: upload("a")))
        #expect(LongTransfers.key(of: upload("a", inode: 1)) != LongTransfers.key(of: upload("a", inode: 2)))
        var starred = upload("a", over: "id")
        if case .upload(let spot, let mine, var over?, _) = starred.step {
            over.version += 1
            starred.step = .upload(at: spot, mine: mine, over: over, insteadOf: nil)
        }
        #expect(LongTransfers.key(of: upload("a", over: "id")) == LongTransfers.key(of: starred))
    }

    /// The server's event may come before the end of the task, and the plan that follows holds the upload no more.
    @Test func anEndIsToldOnceAlsoWhereThePlanWasQuicker() throws {
        var long = LongTransfers()
        let sent = upload("sent")
        let key = try began(&long, sent)[0]
        _ = long.letGo()
        let told = [long.answered("request of \(key)", to: sent), long.answered("request of \(key)", to: sent)]
        #expect(told == [true, false])
    }

    @Test func whatFailedWaitsLongerAndLonger() {
        var long = LongTransfers()
        let (failing, other) = (upload("failing"), upload("other", inode: 8))
        long.rests.begin(of: failing, for: 1, at: 10)
        long.rests.note(Decision(passId: 1, at: Timestamp(seconds: 0), action: failing, trace: Decision.Trace()))
        #expect(long.next(of: [failing, other], in: [failing, other], at: 10.5) == [other])
        #expect(long.rests.failure(of: failing, at: 10.5) != nil)
        #expect(long.rests.secondsToNext(of: [failing, other], at: 10.5) == 0.5)
        #expect(long.next(of: [failing], in: [failing], at: 11) == [failing])
        #expect(long.rests.secondsToNext(of: [failing, other], at: 11) == nil)
        long.rests.begin(of: upload("failing", inode: 9), for: 2, at: 11)
        #expect(long.rests.failures(of: failing) == 2)
        long.rests.end(of: failing)
        #expect(long.rests.failures(of: failing) == 0)
    }

    @Test func aPauseHoldsForTheseBytesOnly() {
        var long = LongTransfers()
        let (paused, saved) = (upload("a"), upload("a", inode: 8))
        long.rests.begin(of: paused, for: .infinity, at: 0)
        #expect(long.next(of: [paused], in: [paused], at: 1e9) == [])
        #expect(long.rests.secondsToNext(of: [paused], at: 0) == nil)
        #expect(long.next(of: [saved], in: [saved], at: 1) == [saved])
    }
}
