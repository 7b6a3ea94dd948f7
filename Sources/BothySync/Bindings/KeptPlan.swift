import BothyContract

/// What a dry run told, to be done exactly so.
package struct KeptPlan: Equatable, Sendable {
    package var actions: [Action]
    package var terms: PlanTerms

    package init(_ actions: [Action], under terms: PlanTerms = PlanTerms()) {
        self.actions = actions
        self.terms = terms
    }
}

/// What was asked for along with a dry run: it belongs to the plan, and holds from when that is carried out. What is nil is as it
/// is for the folder.
package struct PlanTerms: Codable, Equatable, Sendable {
    package var deletions: DeletionPolicy?
    package var conflicts: ConflictResolution?
    package var leavesOut: LeftOut?

    package init() {}

    package var isNone: Bool { self == PlanTerms() }
}

extension Binding {
    package mutating func take(_ terms: PlanTerms) {
        deletions = terms.deletions ?? deletions
        conflicts = terms.conflicts ?? conflicts
        leavesOut = terms.leavesOut ?? leavesOut
    }
}
