import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// What is in use is left out of a plan, with all that goes to the same place.
@Suite struct InUseTests {
    private func trash(_ place: Place) -> Action {
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(inode: 7)))
        return Action(.trashLocal(mine, remoteId: "f1", at: place, count: 1), .deletedThere)
    }

    @Test func whatIsInUseWaitsWithAllThatGoesToItsPlace() {
        var plan = Plan()
        plan.actions = [trash("a"), trash("a/b"), trash("ab"), trash("c")]
        let held = plan.holding(["a"])
        #expect(held.actions == [trash("ab"), trash("c")])
        #expect(held.inUse == [trash("a"), trash("a/b")])
        #expect(held.standing == ["a": .held(.inUse)])
        #expect(plan.holding([]) == plan)
    }
}
