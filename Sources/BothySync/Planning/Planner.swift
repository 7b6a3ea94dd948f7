import BothyClient

/// The planner of folder sync: three trees and a policy in, what is to be done out.
///
/// Pure: the same question has the same answer. It asks no clock, no disk and no dice, so that its properties are checked on
/// millions of trees.
///
/// The trees are those of Dropbox's engine («Rewriting the heart of our sync engine», 2020): what the server has, what the
/// disk has, and what both last agreed on, which tells a deletion here from a creation there. The target is merged from
/// all three at once; the actions are the way there, parents before children, deletions last.
package enum Planner {
    /// What the planner is asked.
    package struct Question: Sendable {
        package var remote: RemoteTree
        package var local: LocalTree
        package var synced: SyncedTree
        package var policy: SyncPolicy
        package var rules: IgnoreRules
        /// Asked only while linking.
        package var memory: DeletionMemory
        /// Files in the server's trash, by id: what was edited here may come back from there.
        package var trash: [String: RemoteFacts] = [:]
        /// Sides from which nothing may be taken away, and why.
        package var holding: [Guard.Direction: HoldReason]

        package init(
            remote: RemoteTree, local: LocalTree, synced: SyncedTree, policy: SyncPolicy,
            rules: IgnoreRules = .none, memory: DeletionMemory = .none, holding: [Guard.Direction: HoldReason] = [:]
        ) {
            self.remote = remote
            self.local = local
            self.synced = synced
            self.policy = policy
            self.rules = rules
            self.memory = memory
            self.holding = holding
        }
    }

    package static func plan(_ question: Question) -> Plan {
        var writer = PlanWriter(Comparison(question))
        return writer.write()
    }
}
