import BothyClient
import BothyContract

/// A pass: a batch of decisions that can be reversed as one.
package struct SyncPass: Equatable, Sendable, Identifiable {
    package let id: Int64
    package let bindingId: String
    package var startedAt: Timestamp
    /// nil while it goes on, or when it never came to its end.
    package var endedAt: Timestamp?
    /// The pass that this one reverses.
    package var undoes: Int64?
    package var undoneBy: Int64?

    package init(
        id: Int64, bindingId: String, startedAt: Timestamp, endedAt: Timestamp? = nil, undoes: Int64? = nil,
        undoneBy: Int64? = nil
    ) {
        self.id = id
        self.bindingId = bindingId
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.undoes = undoes
        self.undoneBy = undoneBy
    }
}

/// One action that was taken, or tried.
package struct Decision: Equatable, Sendable, Identifiable {
    /// 0 until it is written.
    package var id: Int64
    package var passId: Int64
    package var at: Timestamp
    package var action: Action
    package var trace: Trace

    /// What it came to, and what it takes to reverse it.
    package struct Trace: Codable, Equatable, Sendable {
        /// Why it was not done.
        package var failure: ClientFailure?
        /// What was agreed on before.
        package var before: SyncedFacts?
        /// The id of the folder on the server that it was in then.
        package var parentId: String?
        /// The file on the server that it made or changed.
        package var remoteId: String?
        /// Where in the local trash it put what it took away or replaced.
        package var keep: String?

        package init(
            failure: ClientFailure? = nil, before: SyncedFacts? = nil, parentId: String? = nil, remoteId: String? = nil,
            keep: String? = nil
        ) {
            self.failure = failure
            self.before = before
            self.parentId = parentId
            self.remoteId = remoteId
            self.keep = keep
        }
    }

    package init(id: Int64 = 0, passId: Int64, at: Timestamp, action: Action, trace: Trace) {
        self.id = id
        self.passId = passId
        self.at = at
        self.action = action
        self.trace = trace
    }
}
