import BothySync
import Testing

/// What lies in a folder that nobody can look into may be there still.
@Suite struct UnreadableFolderTests {
    @Test func aCopyElsewhereIsNoMoveOutOfIt() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        world.makeFolder("docs/deep")
        world.write("docs/deep/f", 1)
        world.makeFolder("other")
        try world.settle()
        let readable = world.local
        let docs = try #require(world.local.node(at: "docs"))
        world.local.tree[docs].condition = .unreadable
        world.local.remove("docs/deep")
        world.write("other/f", 1)
        #expect(world.plan().actions.outlines == ["upload other/f"])
        // Where it can be seen that it is gone, it was moved.
        world.local = readable
        world.delete("docs/deep/f")
        world.write("other/f", 1)
        #expect(world.plan().actions.outlines.first == "moveRemote other/f")
    }
}
