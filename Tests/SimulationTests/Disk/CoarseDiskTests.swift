import BothyClient
import BothyContent
import BothyContract
import Simulation
import Testing

@testable import BothySync

/// A disk with times of whole seconds: what is changed in the second of a look has the stamp that the look saw.
@Suite struct CoarseDiskTests {
    private static let noon = Timestamp(seconds: 1_795_000_000)
    private let disk: SimulatedDisk
    private let traits: DiskTraits

    init() throws {
        var nature = DiskNature(timeGranularity: 1_000_000_000)
        nature.tellsBirth = false
        disk = SimulatedDisk(
            model: DiskModel(nature: nature, now: Self.noon), place: "/simulated/anna/", around: Calm())
        try disk.claim(mark: "mark")
        traits = try DiskProbe.traits(of: disk)
    }

    private func write(_ name: String, _ text: String) throws { try disk.model.write([name], Array(text.utf8)) }

    private func pass(seconds: Int64) { disk.model.setClock(Timestamp(seconds: disk.model.time.seconds + seconds)) }

    private func hash(_ text: String) -> ContentHash { SHA256Hasher.hash(Array(text.utf8)) }

    private func look(_ synced: SyncedTree = SyncedTree(rootId: "root"), previous: LocalTree? = nil) throws
        -> FolderScan.Seen
    {
        var scan = try FolderScan(
            disk, synced: synced, previous: previous, now: disk.model.time, traits: traits)
        return try scan.run()
    }

    /// What a look saw, agreed on.
    private func agreed(_ local: LocalTree) -> SyncedTree {
        var synced = SyncedTree(rootId: "root")
        for node in local.tree.subtree(of: .root).dropFirst() {
            let facts = local[node]
            let remote = RemoteFacts(
                id: local.tree.name(of: node).text, kind: facts.kind, headRevisionId: "r", checksum: facts.hash,
                size: facts.stamp.size)
            let name = local.tree.name(of: node)
            synced.put(SyncedFacts(remote: remote, remoteName: name, local: facts), named: name, under: "root")
        }
        return synced
    }

    /// It was never sent: no look ever read it again.
    @Test(arguments: [0, 1, 60] as [Int64]) func anEditInTheSecondOfTheLookIsSeen(after seconds: Int64) throws {
        try write("a", "first")
        let first = try look().local
        try write("a", "other")
        #expect(try disk.facts("a")?.stamp == first.facts(at: "a")?.stamp, "a look without reading tells nothing")
        pass(seconds: seconds)
        #expect(try look(agreed(first)).local.facts(at: "a")?.hash == hash("other"))
        #expect(try look(previous: first).local.facts(at: "a")?.hash == hash("other"))
    }

    /// A watch hears of it, and looks at that name alone.
    @Test func anEditThatIsToldOfIsSeenThough() throws {
        try write("a", "first")
        let first = try look().local
        try write("a", "other")
        var scan = try FolderScan(
            disk, rules: .none, review: RulesReview([:]), synced: agreed(first), over: first, now: disk.model.time,
            traits: traits)
        let seen = try scan.run(over: [.root: .some(["a"])])
        #expect(seen.local.facts(at: "a")?.hash == hash("other") && seen.places == ["a"])
    }

    /// Its inode was given to another at once, which passed for the first under another name: its bytes were never sent.
    @Test func aNewFileWithTheInodeOfADeletedOneIsRead() throws {
        try write("a", "first")
        let first = try look().local
        try disk.model.rename(["a"], ["b"], replacing: false)
        try write("b", "other")
        #expect(try look(agreed(first)).local.facts(at: "b")?.hash == hash("other"))
        #expect(try look(previous: first).local.facts(at: "b")?.hash == hash("other"))
    }

    @Test func whatIsOlderThanItsLookIsNotReadAgain() throws {
        try write("a", "first")
        pass(seconds: 3)
        let first = try look().local
        #expect(first.facts(at: "a")?.stamp.isRecent == false)
        var lying = first
        lying.tree[try #require(lying.node(at: "a"))].hash = hash("other")
        #expect(try look(agreed(lying)).local.facts(at: "a")?.hash == hash("other"))
    }

    /// Read once more, its stamp is as good as any.
    @Test func oneMoreLookProvesARecentStamp() throws {
        try write("a", "first")
        let first = try look().local
        #expect(first.facts(at: "a")?.stamp.isRecent == true)
        #expect(try look(agreed(first)).proven.isEmpty, "it is as recent still")
        pass(seconds: 3)
        let later = try look(agreed(first))
        #expect(later.proven == ["a"] && later.local.facts(at: "a")?.stamp.isRecent == false)
        try write("a", "other")
        #expect(try look(agreed(first)).proven.isEmpty)
    }

    /// What was saved over what was looked at went to the trash, as if it were what both sides had.
    @Test func nothingIsTakenAwayByAStampThatVouchesForNothing() throws {
        try write("a", "first")
        var expected = try #require(try disk.facts("a"))
        try write("a", "other")
        #expect(expected.isUntouched(since: try #require(try disk.facts("a"))))
        expected.content = hash("first")
        #expect(throws: ClientFailure.self) { try disk.discard("a", expecting: expected, keep: "kept") }
        expected.content = hash("other")
        try disk.discard("a", expecting: expected, keep: "kept")
        #expect(try disk.isInTrash("kept"))
    }
}

/// Nobody else is at work.
private final class Calm: AroundDisk {
    func beforeCall() throws(ClientFailure) {}
    func afterCall() throws(ClientFailure) {}
}
