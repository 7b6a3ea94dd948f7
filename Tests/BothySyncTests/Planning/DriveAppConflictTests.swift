import BothyContract
import BothySync
import Testing

/// The cases of «Managing file conflicts» of the drive app's design, each by its name.
@Suite struct DriveAppConflictTests {
    private func bothEdited(_ conflicts: ConflictResolution) throws -> PlannedWorld {
        var world = PlannedWorld()
        world.write("hello.png", 1)
        try world.settle()
        world.policy.conflicts = conflicts
        world.write("hello.png", 2)
        world.writeThere("hello.png", 3)
        return world
    }

    @Test func aUserEditsOffline_andAnotherDeviceModifiesTheSameFileBeforeSynchronization() throws {
        var world = try bothEdited(.fork)
        try world.settle()
        #expect(world.here == ["hello.png=3", "hello (anna's conflict 2026-11-20).png=2"])
        #expect(world.there == world.here)
    }

    /// The second upload is refused, since its base is no longer the head; planned again, it is a conflict like any other.
    @Test func twoDevicesUploadChangesAtNearlyTheSameTime() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        try world.settle()
        world.write("a", 2)
        let upload = try #require(world.plan().actions.first)
        world.writeThere("a", 3)
        #expect(throws: Unexpected.self) { try world.execute(upload) }
        try world.settle()
        #expect(world.there == ["a=3", "a (anna's conflict 2026-11-20)=2"])
    }

    @Test func interruptionsDuringSynchronization_leaveNothingInconsistent() throws {
        var world = try bothEdited(.fork)
        for _ in 0..<20 {
            guard let action = world.plan().actions.first else { break }
            try world.execute(action, crashes: true)
            guard let next = world.plan().actions.first else { break }
            try world.execute(next)
        }
        #expect(world.plan().isEmpty)
        #expect(world.there == ["hello.png=3", "hello (anna's conflict 2026-11-20).png=2"])
        #expect(world.here == world.there)
    }

    @Test func lastWriteWins_makesTheMostRecentVersionTheCurrentOne() throws {
        var world = try bothEdited(.lastWriteWins)
        // The server's clock is years ahead, which says nothing: the last to arrive counts.
        world.changeThere("hello.png") { $0.modifiedAt = Timestamp(seconds: 4_000_000_000) }
        #expect(try world.settle().reasons == [.conflictLastWrite])
        #expect(Reason.conflictLastWrite.decidesAConflict, "it is among those that can be looked at and taken back")
        #expect(world.there == ["hello.png=2"] && world.here == ["hello.png=2"])
        #expect(world.history.contains(PlannedWorld.hash(3)))
    }

    @Test func versionForking_addsANumberToTheNameOfASecondUpload() throws {
        var world = PlannedWorld()
        world.write("filename.png", 1)
        world.writeThere("filename.png", 2)
        try world.settle()
        #expect(world.there == ["filename.png=2", "filename (1).png=1"])
        #expect(world.here == world.there)
    }

    @Test func usersDecide_replaceExistingFile() throws {
        var world = try bothEdited(.ask)
        #expect(try world.settle().isEmpty)
        world.policy.choices["hello.png"] = .keep(.mine, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))
        #expect(try world.settle().reasons == [.conflictMineChosen])
        #expect(world.there == ["hello.png=2"])
    }

    @Test func usersDecide_keepTheirs() throws {
        var world = try bothEdited(.ask)
        world.policy.choices["hello.png"] = .keep(.theirs, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))
        #expect(try world.settle().reasons == [.conflictTheirsChosen])
        #expect(world.here == ["hello.png=3"] && world.trash.contains(PlannedWorld.hash(2)))
    }

    @Test func usersDecide_keepBothFiles() throws {
        var world = try bothEdited(.ask)
        world.policy.choices["hello.png"] = .keep(.both, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))
        try world.settle()
        #expect(world.there == ["hello.png=3", "hello (anna's conflict 2026-11-20).png=2"])
    }

    /// A choice was made between two versions; for a third nobody has chosen.
    @Test func aChoiceHoldsForTheVersionsThatWereSeen() throws {
        var world = try bothEdited(.ask)
        world.policy.choices["hello.png"] = .keep(.mine, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))
        world.writeThere("hello.png", 4)
        #expect(try world.settle().isEmpty)
        #expect(world.there == ["hello.png=4"])
    }

    @Test func mergesChangesAutomatically_andRetriesTheUpload() throws {
        var world = try bothEdited(.merge)
        #expect(try world.settle().reasons == [.conflictMerged, .editedHere])
        #expect(world.remote.facts("f1")?.checksum == PlannedWorld.merged(PlannedWorld.hash(2), PlannedWorld.hash(3)))
    }

    @Test func whatCannotBeMergedIsForked() throws {
        var world = try bothEdited(.merge)
        world.mergeFails = true
        try world.settle()
        #expect(world.there == ["hello.png=3", "hello (anna's conflict 2026-11-20).png=2"])
    }

    @Test func twoEditsToTheSameContentAreNoConflict() throws {
        for conflicts in ConflictResolution.allCases {
            var world = try bothEdited(conflicts)
            world.writeThere("hello.png", 2)
            #expect(try world.settle().reasons.first == .editedAlike)
            #expect(world.here == ["hello.png=2"] && world.there == world.here)
        }
    }

    @Test func deletingAgainstEditing_theEditIsKeptAndSaysSo() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        world.write("b", 2)
        try world.settle()
        world.delete("a")
        world.writeThere("a", 3)
        world.write("b", 4)
        world.deleteThere("b")
        #expect(Set(try world.settle().reasons) == [.editThereBeatsDeletion, .editHereBeatsDeletion, .editedHere])
        #expect(world.here == ["a=3", "b=4"] && world.there == world.here)
    }

    @Test func renamingAgainstEditing_bothAreApplied() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        world.write("b", 2)
        try world.settle()
        world.move("a", to: "x")
        world.writeThere("a", 3)
        world.moveThere("b", to: "y")
        world.write("b", 4)
        try world.settle()
        #expect(world.here == ["x=3", "y=4"] && world.there == world.here)
    }
}
