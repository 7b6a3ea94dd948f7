import BothySync

extension PlannedWorld {
    /// Plans and executes until nothing is left to do, and tells what was done.
    @discardableResult
    mutating func settle() throws -> [Action] {
        var done: [Action] = []
        while let action = plan().actions.first, done.count < PlannerLaws.mostSteps {
            try execute(action)
            done.append(action)
        }
        return done
    }

    /// What is on the disk: places, and contents of files.
    var here: Set<String> {
        Set(
            local.tree.subtree(of: .root).dropFirst().map { node in
                let facts = local[node]
                let content = facts.hash.flatMap { hash in (0...99).first { Self.hash($0) == hash } }
                return local.tree.place(of: node).text + (facts.kind == .folder ? "/" : "=\(content ?? -1)")
            })
    }

    /// What is on the server.
    var there: Set<String> {
        Set(
            remote.tree.subtree(of: .root).dropFirst().map { node in
                let facts = remote[node]
                let content = facts.checksum.flatMap { hash in (0...99).first { Self.hash($0) == hash } }
                return remote.tree.place(of: node).text + (facts.kind == .folder ? "/" : "=\(content ?? -1)")
            })
    }
}

extension Sequence<Action> {
    var reasons: [Reason] { map(\.reason) }
    var outlines: [String] { map(\.outline) }
}
