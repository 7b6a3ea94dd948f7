import BothyContract
import BothySync

/// What holds for a synced folder from when a person says so.
extension FolderBindings {
    /// Writes down what was chosen for a folder, and tells what has changed by it.
    func keepChoices(of binding: Binding, _ output: OutputOptions) async throws {
        guard let words = try await changedChoices(of: binding) else { return }
        try await store.write(.choices, of: binding)
        output.note("“\(binding.localPath)” is now synced with \(words).")
    }

    /// What is chosen for a folder beside what is written down of it: `--policy documents, “*.log” left out`; nil for nothing.
    func changedChoices(of binding: Binding) async throws -> String? {
        guard let before = try await store.find(binding.id) else { return nil }
        var parts = [String]()
        if binding.deletions != before.deletions { parts.append("--policy \(binding.deletions.rawValue)") }
        if binding.conflicts != before.conflicts {
            parts.append("--conflicts \(ConflictOption(binding.conflicts).rawValue)")
        }
        if binding.leavesOut != before.leavesOut {
            let rules = binding.leavesOut.rules.map { "“\($0.words)”" }.joined(separator: ", ")
            parts.append(rules.isEmpty ? "nothing excluded" : "\(rules) excluded")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension PlanTerms {
    /// As `bothy sync` takes them, each with a space before it.
    var options: String {
        var options = [(name: String, value: String)]()
        if let deletions { options.append(("policy", deletions.rawValue)) }
        if let conflicts { options.append(("conflicts", ConflictOption(conflicts).rawValue)) }
        if let leavesOut {
            options += leavesOut.patterns.map { ("exclude", $0) } + leavesOut.endings.map { ("exclude-type", $0) }
            if let largest = leavesOut.largestFile { options.append(("max-size", "\(largest)")) }
        }
        return options.map { name, value in
            " --\(name)\(value.hasPrefix("-") ? "=" : " ")\(value.asTyped)"
        }.joined()
    }
}
