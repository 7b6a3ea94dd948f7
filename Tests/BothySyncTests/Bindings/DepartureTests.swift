import BothyClient
import BothyContract
import BothySync
import Testing

/// Where something is by now that is asked about under a name which it had before.
@Suite struct DepartureTests {
    private var world = PlannedWorld()

    init() throws {
        world.write("notes.txt", 1)
        world.makeFolder("archive")
        world.write("archive/plan.txt", 2)
        try world.settle()
    }

    private func cause(of place: Place, after decisions: [Decision]) -> ItemStatus.Cause {
        Plan().status(of: place, in: world.whereabouts, after: decisions).cause
    }

    private func decision(_ step: Step, _ reason: Reason, from: Place? = nil, id: String?) -> Decision {
        var trace = Decision.Trace(remoteId: id)
        trace.from = from
        return Decision(passId: 1, at: Timestamp(seconds: 1), action: Action(step, reason), trace: trace)
    }

    /// A person here has moved it: it lies in its new place when the server is told.
    private func movedHere(_ from: Place, _ to: Place, now: Place) throws -> Decision {
        let id = try #require(world.id(now))
        let theirs = RemoteFingerprint(try #require(world.remote.facts(id)))
        let spot = Spot(to, folderId: "root", remoteName: to.name)
        return decision(.moveRemote(theirs, at: to, to: spot, settles: true), .movedHere, from: from, id: id)
    }

    private func movedElsewhere(_ from: Place, _ to: Place, now: Place) throws -> Decision {
        let mine = LocalFingerprint(try #require(world.local.facts(at: now)))
        let spot = Spot(to, folderId: "root", remoteName: to.name)
        let step = Step.moveLocal(mine, remoteId: world.id(now), from: from, to: spot, settles: true)
        return decision(step, .movedThere, id: world.id(now))
    }

    private func deleted(_ place: Place) throws -> Decision {
        let theirs = RemoteFingerprint(try #require(world.remote.facts("root")))
        return decision(.trashRemote(theirs, at: place, count: 1), .deletedHere, id: "gone")
    }

    @Test func whatWasRenamedHereHasMovedToItsNewName() throws {
        #expect(
            cause(of: "one.txt", after: [try movedHere("one.txt", "notes.txt", now: "notes.txt")])
                == .moved("notes.txt"))
    }

    @Test func aChainOfNamesEndsAtTheLastOne() throws {
        let decisions = [
            try movedHere("renamed.txt", "notes.txt", now: "notes.txt"),
            try movedElsewhere("plans.txt", "renamed.txt", now: "notes.txt"),
        ]
        #expect(cause(of: "plans.txt", after: decisions) == .moved("notes.txt"))
        #expect(cause(of: "renamed.txt", after: decisions) == .moved("notes.txt"))
    }

    /// What took it further may be written down for a folder that nobody asked about.
    @Test func whatIsNotAmongTheDecisionsIsKnownByWhereTheFileIs() throws {
        let first = try movedElsewhere("plans.txt", "renamed.txt", now: "archive/plan.txt")
        #expect(cause(of: "plans.txt", after: [first]) == .moved("archive/plan.txt"))
    }

    @Test func whatMovedInACircleEndsSomewhere() throws {
        let decisions = [
            try movedHere("b", "notes.txt", now: "notes.txt"), try movedHere("a", "b", now: "notes.txt"),
            try movedElsewhere("b", "a", now: "notes.txt"), try movedHere("a", "b", now: "notes.txt"),
        ]
        #expect(cause(of: "a", after: decisions) == .moved("notes.txt"))
        #expect(cause(of: "b", after: decisions) == .moved("notes.txt"))
    }

    @Test func whatLiesInAFolderGoesWithIt() throws {
        let decisions = [
            try movedHere("papers", "archive", now: "archive"), try movedElsewhere("docs", "papers", now: "archive"),
        ]
        #expect(cause(of: "docs/plan.txt", after: decisions) == .moved("archive/plan.txt"))
    }

    @Test func aFolderTakesAlongOnlyWhatWasInItStill() throws {
        let moved = try movedHere("docs/list.txt", "notes.txt", now: "notes.txt")
        #expect(cause(of: "docs/list.txt", after: [try deleted("docs"), moved]) == .moved("notes.txt"))
        let again = try movedHere("other.txt", "docs/list.txt", now: "notes.txt")
        #expect(cause(of: "docs/list.txt", after: [try deleted("docs"), again, moved]) == .gone(.deletedHere))
    }

    /// Each device renamed it its own way: what this one did about it then went from the name that it had here alone.
    @Test func whatBothSidesRenamedIsFoundByTheFileThatItWas() throws {
        let id = try #require(world.id("notes.txt"))
        let theirs = RemoteFingerprint(try #require(world.remote.facts(id)))
        let spot = Spot("case", folderId: "root", remoteName: "case")
        let decisions = [
            try movedElsewhere("case-b", "notes.txt", now: "notes.txt"),
            decision(.download(at: spot, theirs: theirs, over: nil), .createdThere, id: id),
        ]
        #expect(cause(of: "case", after: decisions) == .moved("notes.txt"))
        let gone = decision(.trashRemote(theirs, at: "notes.txt", count: 1), .deletedHere, id: "gone")
        let arrived = decision(.download(at: spot, theirs: theirs, over: nil), .createdThere, id: "gone")
        #expect(cause(of: "case", after: [gone, arrived]) == .gone(.deletedHere))
        #expect(cause(of: "case", after: [arrived]) == .unknown)
    }

    @Test func whatWasDeletedUnderItsLaterNameIsGone() throws {
        let decisions = [
            try deleted("renamed.txt"), try movedElsewhere("plans.txt", "renamed.txt", now: "notes.txt"),
        ]
        #expect(cause(of: "plans.txt", after: decisions) == .gone(.deletedHere))
    }
}
