import BothyContract
import GRDB

/// What the server alone knows: asked for, and kept for times without a connection.
extension FeedStore {
    /// - Parameter ask: asks the server.
    /// - Returns: what it answers; where it cannot be asked, what it answered last.
    /// - Throws: why it cannot be asked, where it was never asked before; what it refuses.
    func known<Value: Codable & Sendable>(
        _ answer: KeptAnswer, _ ask: () async throws -> Value
    ) async throws -> Known<Value> {
        do {
            let value = try await ask()
            try await keep(value, as: answer)
            return Known(value)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown {
            guard let kept: Value = try await kept(answer) else { throw failure }
            return Known(kept, unreached: failure)
        }
    }

    func keep(_ value: some Codable & Sendable, as answer: KeptAnswer) async throws {
        try await write { db in try KeptAnswerTable.put(value, as: answer, in: db) }
    }

    func kept<Value: Codable & Sendable>(_ answer: KeptAnswer) async throws -> Value? {
        try await read { db in try KeptAnswerTable.find(answer, in: db) }
    }

    func keep(_ draft: Draft) async throws {
        try await write { db in try KeptDrafts.put(draft, in: db) }
    }

    func forgetDraft(_ id: Int64) async throws {
        try await write { db in try KeptDrafts.remove(id, in: db) }
    }

    /// Lets go of drafts that are not there any more.
    func keep(drafts: Set<Int64>) async throws {
        try await write { db in try KeptAnswerTable.keep(drafts, in: db) }
    }

    /// Drafts that become posts as soon as they can be sent.
    func draftsBeingPosted() async throws -> Set<Int64> {
        try await read { db in
            Set(
                try FeedOperationTable.all(in: db).compactMap { operation in
                    operation.isShown ? operation.postedDraft?.id : nil
                })
        }
    }
}
