import BothyClient
import BothyContract
import BothySync
import Testing

/// What was edited here while it was deleted elsewhere was sent as a new file, and all that it had been before lay in the
/// server's trash.
@Suite struct EditBeatsDeletionTests {
    private func edited(deleting place: Place) throws -> (world: PlannedWorld, id: String) {
        var world = PlannedWorld()
        world.makeFolder("s")
        world.write("s/one", 1)
        world.write("s/two", 2)
        try world.settle()
        let id = try #require(world.id("s/two"))
        world.write("s/two", 3)
        world.deleteThere(place)
        return (world, id)
    }

    @Test func aFileComesBackAsTheOneThatItWas() throws {
        var (world, id) = try edited(deleting: "s/two")
        let done = try world.settle()
        #expect(done.outlines == ["untrashRemote s/two", "upload s/two"])
        #expect(done.reasons == [.editHereBeatsDeletion, .editedHere])
        #expect(world.id("s/two") == id && world.there == ["s/", "s/one=1", "s/two=3"] && world.here == world.there)
    }

    @Test func aFileOfADeletedFolderComesBackAlone() throws {
        var (world, id) = try edited(deleting: "s")
        try world.settle()
        #expect(world.id("s/two") == id && world.there == ["s/", "s/two=3"] && world.here == world.there)
    }

    @Test func aFileThatWasMovedAsWellComesBackWhereItIsNow() throws {
        var (world, id) = try edited(deleting: "s")
        world.makeFolder("t")
        world.move("s/two", to: "t/three")
        try world.settle()
        #expect(world.id("t/three") == id && world.there == ["t/", "t/three=3"] && world.here == world.there)
    }

    @Test(arguments: ["s/three", "t/two"] as [Place])
    func aFileThatWasOnlyMovedComesBackWhereItIsNow(target: Place) throws {
        var world = PlannedWorld()
        for folder in ["s", "t"] as [Place] { world.makeFolder(folder) }
        world.write("s/two", 2)
        try world.settle()
        let id = try #require(world.id("s/two"))
        world.move("s/two", to: target)
        world.deleteThere("s/two")
        let done = try world.settle()
        #expect(done.outlines == ["untrashRemote \(target)"] && done.reasons == [.moveHereBeatsDeletion])
        #expect(world.id(target) == id && world.there.contains("\(target)=2") && world.here == world.there)
    }

    /// A pass that puts a file in the place of a folder gives the folder's name away there before it deletes it. Where it is cut off
    /// between, another device gives the folder a number: that is nobody's move, and what was deleted came back by it.
    @Test(arguments: [("s (1)", true), ("t", false)] as [(Place, Bool)])
    func aNumberThatItsNameCostIsNoMove(target: Place, isDeleted: Bool) throws {
        var world = PlannedWorld()
        world.makeFolder("s")
        world.write("s/one", 1)
        try world.settle()
        world.delete("s")
        world.write("s", 2)
        world.moveThere("s", to: target)
        world.writeThere("s", 2)
        try world.settle()
        #expect(world.there == Set(["s=2"] + (isDeleted ? [] : ["\(target)/", "\(target)/one=1"])))
        #expect(world.here == world.there)
    }

    /// Between the two steps the process is killed.
    @Test func whatCameBackIsGoneOnWith() throws {
        for writesDown in [true, false] {
            var (world, id) = try edited(deleting: "s")
            while let action = world.plan().actions.first {
                let isBack = if case .untrashRemote = action.step { true } else { false }
                try world.execute(action, crashes: isBack && !writesDown)
                if isBack { break }
            }
            #expect(world.there == ["s/", "s/two=2"])
            try world.settle()
            #expect(world.id("s/two") == id && world.there == ["s/", "s/two=3"] && world.here == world.there)
        }
    }

    /// It stayed here, unsynced, was edited, and is deleted before the edit is sent: it came back for that alone.
    @Test func whatCameBackForAnEditThatIsGoneByNowGoesAgain() throws {
        var world = PlannedWorld()
        world.policy.deletions = .documents
        world.write("a", 1)
        try world.settle()
        world.deleteThere("a")
        try world.settle()
        world.write("a", 2)
        let action = try #require(world.plan().actions.first)
        try world.execute(action)
        #expect(world.there == ["a=1"] && world.here == ["a=2"])
        world.delete("a")
        #expect(try world.settle().outlines == ["trashRemote a"])
        #expect(world.there.isEmpty && world.here.isEmpty)
    }

    @Test func whatIsNotInTheTrashAnyMoreIsSentAsNew() throws {
        var (world, id) = try edited(deleting: "s")
        world.keptThere = [:]
        try world.settle()
        #expect(world.id("s/two") != id && world.there == ["s/", "s/two=3"] && world.here == world.there)
    }

    /// Nobody here has seen that version, and it was deleted as well.
    @Test func anotherVersionInTheTrashStaysThere() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        try world.settle()
        let id = world.id("a")
        world.writeThere("a", 2)
        world.deleteThere("a")
        world.write("a", 3)
        try world.settle()
        #expect(world.id("a") != id && world.there == ["a=3"] && world.here == world.there)
    }

    @Test func takingItBackPutsItIntoTheTrashAsItWas() throws {
        var (world, id) = try edited(deleting: "s")
        var taken: [TakenStep] = []
        while let action = world.plan().actions.first { taken.append(try world.take(action)) }
        #expect(world.undo(taken).refused.isEmpty)
        #expect(world.there.isEmpty && world.here == ["s/", "s/one=1", "s/two=3"])
        #expect(world.question.trash[id]?.checksum == PlannedWorld.hash(2))
        try world.settle()
        #expect(world.plan().standing["s/two"] == .unsynced(.takenBack))
    }
}
