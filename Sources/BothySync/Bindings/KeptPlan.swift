import BothyContent
import BothyContract

/// What a dry run told, to be done exactly like that.
package struct KeptPlan: Equatable, Sendable {
    package var actions: [Action]
    package var terms: PlanTerms

    package init(_ actions: [Action], under terms: PlanTerms = PlanTerms()) {
        self.actions = actions
        self.terms = terms
    }
}

/// The same as it is written down: a large plan is written once.
struct WrittenPlan: Sendable {
    let actions: String
    let terms: String
    /// The same for the same plan.
    let id: String

    init(_ plan: KeptPlan) throws {
        actions = JSONColumn.spelled(plan.actions)
        terms = try JSONColumn.text(plan.terms)
        var hasher = SHA256Hasher()
        hasher.update(Array(actions.utf8))
        if !plan.terms.isNone { hasher.update(Array(terms.utf8)) }
        id = String(hasher.finish().hex.prefix(12))
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
