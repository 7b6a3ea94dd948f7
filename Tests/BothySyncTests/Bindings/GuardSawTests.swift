import BothyClient
import BothySync
import Testing

/// Who has seen less than a guard sees by now lets nothing pass.
@Suite struct GuardSawTests {
    private func deletions(
        _ direction: Guard.Direction, _ planned: Int, overwritten: Int = 0
    ) -> Guard.Sighting {
        .manyDeletions(direction, Guard.Tally(planned: planned, overwritten: overwritten, lately: 3, known: 200))
    }

    private let saw = GuardSaw.manyDeletions(.here, planned: 51, lately: 0, known: 200)

    @Test func asMuchOrLessOfTheSameIsCovered() {
        #expect(deletions(.here, 51).isCovered(by: saw) && deletions(.here, 50).isCovered(by: saw))
    }

    @Test func moreThanWasSeenIsNot() {
        #expect(!deletions(.here, 52).isCovered(by: saw))
    }

    @Test func aWordAboutWhatIsOverwrittenIsNoneAboutWhatIsDeleted() {
        let overwrites = GuardSaw.manyDeletions(.here, planned: 51, overwritten: 51, lately: 0, known: 200)
        #expect(deletions(.here, 51, overwritten: 51).isCovered(by: overwrites))
        #expect(!deletions(.here, 51, overwritten: 50).isCovered(by: overwrites))
    }

    @Test func theOtherSideIsAnotherThing() {
        #expect(!deletions(.onTheServer, 1).isCovered(by: saw))
    }

    @Test func bothSidesAreCoveredByWhoSawBoth() {
        let tally = Guard.Tally(planned: 51, lately: 3, known: 200)
        let both = Guard.Sighting.manyDeletions(.here, tally, other: tally)
        #expect(!both.isCovered(by: saw), "the other side was not seen")
        #expect(both.isCovered(by: GuardSaw(both)))
        #expect(deletions(.here, 51).isCovered(by: GuardSaw(both)))
        #expect(deletions(.onTheServer, 50).isCovered(by: GuardSaw(both)))
        #expect(!deletions(.onTheServer, 52).isCovered(by: GuardSaw(both)))
    }

    @Test(arguments: [
        Guard.Sighting.rootVanished, .rootUnmounted, .rootReplaced, .rootEmptied, .remoteRootLost, .linkTakenBack,
    ])
    func anotherSightingIsCoveredByItselfAlone(_ sighting: Guard.Sighting) {
        #expect(sighting.isCovered(by: GuardSaw(sighting)))
        #expect(!sighting.isCovered(by: saw))
        #expect(!deletions(.here, 1).isCovered(by: GuardSaw(sighting)))
    }
}
