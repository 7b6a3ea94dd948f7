import BothySync
import Testing

/// A bound folder that is another one than it was, confirmed by its person.
@Suite struct SyncedTreeHeldTests {
    @Test func whatWasCopiedWithItStaysAgreedOn_andNothingElse() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        world.write("docs/same.txt", 1)
        world.write("docs/other.txt", 2)
        world.write("gone.txt", 3)
        try world.settle()
        world.write("docs/other.txt", 4)
        world.delete("gone.txt")
        let held = world.synced.held(by: world.local)
        #expect(held.facts(at: "docs/same.txt")?.local == world.local.facts(at: "docs/same.txt")?.stamp)
        #expect(held.facts(at: "docs/other.txt") == nil && held.facts(at: "gone.txt") == nil)
        #expect(held.tree.count == 3)
    }
}
