import BothySync
import Testing

@Suite struct ItemStatusTests {
    @Test func everyCauseHasWordsAndARemedy() {
        for cause in ItemStatus.Cause.every {
            let status = ItemStatus(cause)
            #expect(!status.words.isEmpty && !status.remedy.isEmpty, "\(cause)")
            #expect(
                !status.words.hasSuffix(".") && !status.remedy.hasSuffix("."),
                "\(cause): sentences get their end where they are shown")
            #expect(status.words.first?.isUppercase == false && status.remedy.first?.isUppercase == false, "\(cause)")
        }
    }

    /// Two causes that say the same leave a person guessing which it is.
    @Test func noTwoCausesSayTheSame() {
        let said = Dictionary(grouping: ItemStatus.Cause.every) { ItemStatus($0).words }
        for (words, causes) in said where causes.count > 1 { Issue.record("«\(words)»: \(causes)") }
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
        let sightings = try DeclaredCases.names(of: "enum Sighting", in: "BothySync/Planning/Guard.swift")
        #expect(sightings == Set(Guard.Sighting.Kind.allCases.map { "\($0)" }) && sightings.count > 5)
    }

    @Test func everyStateCanBeReached() {
        let reached = Set(ItemStatus.Cause.every.map { ItemStatus($0).state })
        #expect(reached == Set(ItemStatus.State.allCases))
    }

    @Test func theNamesThatAreStoredNeverChange() {
        #expect(
            ItemStatus.State.allCases.map(\.rawValue) == [
                "synced", "pending", "transferring", "conflict", "unsynced", "ignored", "failed", "unknown", "outside",
            ])
        #expect(
            Set(Reason.allCases.map(\.words)).count == Reason.allCases.count, "each reason says something of its own")
        #expect(Set(HoldReason.allCases.map(\.words)).count == HoldReason.allCases.count)
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
        func state(_ place: Place) -> ItemStatus.State { plan.status(of: place, in: world.synced).state }
        #expect(state("kept") == .synced)
        #expect(state("new") == .pending)
        #expect(state("build") == .ignored && state("build/a.o") == .ignored)
        #expect(plan.status(of: "nowhere", in: world.synced).cause == .unknown)
        #expect(state("nowhere") == .unknown && state("build/nowhere") == .ignored)
    }
}
