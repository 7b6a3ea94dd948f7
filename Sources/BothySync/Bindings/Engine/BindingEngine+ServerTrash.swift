import BothyClient

/// What was edited or moved here and deleted on the server: where the server's trash has it still, it comes back from there with its versions.
extension BindingEngine {
    /// The plan of a question, which has to know what lies in that trash only where something would be sent anew without it.
    ///
    /// - Parameter planned: plans.
    func plan(_ question: Planner.Question, by planned: (Planner.Question) -> Plan) async throws -> Plan {
        let plan = planned(question)
        let gone = Set(plan.actions.compactMap(\.step.sentInsteadOf))
        guard !gone.isEmpty, performer.drive.capabilities.contains(.trash) else { return plan }
        // A look at what is new alone has told the cache nothing.
        _ = try await cache.pull()
        var question = question
        for file in try await cache.trashed() where gone.contains(file.id) {
            question.trash[file.id] = RemoteFacts(file)
        }
        return question.trash.isEmpty ? plan : planned(question)
    }
}

extension Step {
    /// Under which id a file that is sent as a new one was agreed on before.
    fileprivate var sentInsteadOf: String? {
        if case .upload(_, _, nil, let old) = self { old } else { nil }
    }
}
