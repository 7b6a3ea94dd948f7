import BothyClient
import BothyContract
import BothySync
import Testing

@Suite struct ItemStatusTests {
    @Test func everyCauseHasARemedy() {
        for cause in ItemStatus.Cause.every {
            let remedy = ItemStatus(cause).remedy
            #expect(!remedy.isEmpty && !remedy.hasSuffix("."), "\(cause): sentences get their end where they are shown")
            #expect(remedy.first?.isUppercase == false, "\(cause)")
        }
    }

    /// Two that say the same leave a person guessing which it is.
    @Test func everyGuardSaysSomethingOfItsOwn() {
        for (words, sightings) in Dictionary(grouping: Guard.Sighting.every, by: \.words) {
            #expect(sightings.count == 1 && words.first?.isUppercase == false && !words.hasSuffix("."), "«\(words)»")
        }
    }

    @Test func everyKindOfCauseIsTold() {
        for kind in ItemStatus.Cause.Kind.allCases {
            let causes = ItemStatus.Cause.every(kind)
            #expect(!causes.isEmpty && causes.allSatisfy { $0.kind == kind }, "\(kind)")
        }
        for kind in Guard.Sighting.Kind.allCases { #expect(Guard.Sighting.every.contains { $0.kind == kind }) }
    }

    /// A case that somebody adds is not among all of them before it has a kind of its own, and with that its examples.
    @Test func theKindsAreThoseThatTheCodeDeclares() throws {
        let causes = try DeclaredCases.names(of: "enum Cause", in: "BothySync/Planning/ItemStatus.swift")
        #expect(causes == Set(ItemStatus.Cause.Kind.allCases.map { "\($0)" }) && causes.count > 10)
        let sightings = try DeclaredCases.names(of: "enum Sighting", in: "BothySync/Planning/Guards/Guard.swift")
        #expect(sightings == Set(Guard.Sighting.Kind.allCases.map { "\($0)" }) && sightings.count > 5)
    }

    @Test func everyStateCanBeReached() {
        let reached = Set(ItemStatus.Cause.every.map { ItemStatus($0).state })
        // Whether bytes are on the way is no plan's to know: a transfer says it.
        #expect(reached == Set(ItemStatus.State.allCases).subtracting([.transferring]))
    }

    /// What a plan, and what was done, come to when a person asks.
    @Test(arguments: ItemStatus.Cause.every)
    func whyReachesEveryCause(_ cause: ItemStatus.Cause) throws {
        var world = PlannedWorld()
        world.write("agreed", 1)
        world.makeFolder("docs")
        world.write("docs/below", 2)
        try world.settle()
        let (mine, there) = (
            try #require(world.local.facts(at: "agreed")),
            try #require(world.id("agreed").flatMap { world.remote.facts($0) })
        )
        let (here, theirs) = (LocalFingerprint(mine), RemoteFingerprint(there))
        var (plan, place, done): (Plan, Place, [Decision]) = (Plan(), "x", [])
        func did(_ step: Step, _ reason: Reason) -> Decision {
            Decision(passId: 1, at: Timestamp(seconds: 1), action: Action(step, reason), trace: .init())
        }
        switch cause {
        case .atRest: place = "agreed"
        case .planned(let reason): plan.actions = [Action(.trashRemote(theirs, at: "x", count: 1), reason)]
        case .along(let folder, let reason):
            let docs = try #require(world.id(folder).flatMap { world.remote.facts($0) })
            plan.actions = [Action(.trashRemote(RemoteFingerprint(docs), at: folder, count: 2), reason)]
            place = folder.appending("below")
        case .conflict: plan.standing["x"] = .conflict(mine: here, theirs: theirs)
        case .unsynced(let reason): plan.standing["x"] = .unsynced(reason)
        case .leftOut(let rule, let source): plan.standing["x"] = .ignored(rule: rule, source: source)
        case .held(let reason): plan.standing["x"] = .held(reason)
        case .guarded(let sighting): (plan.sighting, place) = (sighting, .root)
        case .gone(let reason): done = [did(.trashRemote(theirs, at: "x", count: 1), reason)]
        case .moved(let new):
            let spot = Spot(new, folderId: "root", remoteName: new.name)
            done = [did(.moveLocal(here, remoteId: there.id, from: "x", to: spot, settles: true), .movedThere)]
        case .own: place = ".bothy/trash"
        case .unknown: break
        // In no bound folder no plan speaks of it.
        case .onTheServer, .outside:
            #expect([.elsewhere(there.id), .elsewhere(nil)].filter { $0 == cause }.count == 1)
            return
        }
        #expect(plan.status(of: place, in: world.whereabouts, after: done).cause == cause)
    }

    @Test func theNamesThatAreStoredNeverChange() {
        #expect(
            ItemStatus.State.allCases.map(\.rawValue) == [
                "synced", "pending", "transferring", "conflict", "unsynced", "ignored", "failed", "gone",
                "moved", "unknown", "outside",
            ])
    }

    @Test func aPlanTellsHowEachPlaceStands() throws {
        var world = PlannedWorld()
        world.write("kept", 1)
        try world.settle()
        world.rules.setFile("build/", in: .root)
        world.makeFolder("build")
        world.write("build/a.o", 2)
        world.write("new", 3)
        let plan = world.plan()
        func state(_ place: Place) -> ItemStatus.State { plan.status(of: place, in: world.whereabouts).state }
        #expect(state("kept") == .synced)
        #expect(state("new") == .pending)
        #expect(state("build") == .ignored && state("build/a.o") == .ignored)
        #expect(plan.status(of: "nowhere", in: world.whereabouts).cause == .unknown)
        #expect(state("nowhere") == .unknown && state("build/nowhere") == .ignored)
    }
}
