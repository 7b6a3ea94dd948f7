import BothyClient
import BothyContent
import BothySync

/// What folder sync says to a person.
enum SyncWords {
    /// Lines about what is not in step, by kind; the first few of each.
    static func standing(_ plan: Plan, misfits: [Misfit]) -> [String] {
        let shown = 10
        var lines = [String]()
        let sorted = plan.standing.sorted { $0.key < $1.key }
        for (place, standing) in sorted.prefix(shown) where !standing.isIgnored {
            lines.append("\(place): \(words(standing))")
        }
        let waiting = sorted.count { !$0.value.isIgnored }
        if waiting > shown { lines.append("… and \(waiting - shown) more") }
        let ignored = sorted.count { $0.value.isIgnored }
        if ignored > 0 { lines.append("\(ignored) left out by rules (“bothy why FILE” tells by which)") }
        lines += misfits.prefix(shown).map { "\($0.name) (on the server): \($0.reason.words); \($0.reason.remedy)" }
        return lines
    }

    static func words(_ standing: Standing) -> String {
        let status = ItemStatus(standing.cause)
        return "\(status.words); \(status.remedy)"
    }

    static func summary(_ report: PassReport) -> String {
        let deeds = report.deeds.count
        if deeds == 0 {
            let waits = report.plan.standing.contains { !$0.value.isIgnored }
            if waits { return "Nothing was done; all else is in step." }
            return report.failed.isEmpty ? "Everything is in step." : "Nothing was done."
        }
        return deeds == 1
            ? "1 change carried. “bothy undo” takes it back."
            : "\(deeds) changes carried. “bothy undo” takes them back."
    }

    static func watching(_ binding: Binding, _ coverage: WatchCoverage) -> String {
        var text =
            TerminalText.safe("Keeping \(binding.localPath) in step with \(binding.remotePath). Ctrl-C ends it.") + "\n"
        if coverage.unwatched > 0 {
            text += """
                \(coverage.unwatched) folders cannot be watched: this system has no room for more watches
                (fs.inotify.max_user_watches). They are looked at every 30 seconds instead.

                """
        }
        return text
    }

    static func words(_ sighting: Guard.Sighting) -> String {
        let words = sighting.words
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    static func remedy(_ sighting: Guard.Sighting, _ binding: Binding) -> String {
        let confirm = "“bothy sync \(binding.localPath) --confirm”"
        return switch sighting {
        case .manyDeletions, .rootEmptied: "If it was meant, say \(confirm); “--dry-run” lists them."
        case .rootVanished, .rootUnmounted:
            "Bring it back or mount it; or untie it with “bothy unsync \(binding.localPath)”."
        case .rootReplaced: "If it is the right one, \(confirm) ties it anew; nothing is deleted by that."
        case .remoteRootLost: "Bring it back with “bothy trash put-back”, or make it anew from here with \(confirm)."
        }
    }

    static func changes(from old: [Action], to new: [Action]) -> String {
        let gone = old.filter { !new.contains($0) }.prefix(3).map { "no longer “\($0.step.words)”" }
        let come = new.filter { !old.contains($0) }.prefix(3).map { "now also “\($0.step.words)”" }
        return (gone + come).joined(separator: ", ")
    }
}

extension Standing {
    var isIgnored: Bool { if case .ignored = self { true } else { false } }
}

/// A plan's id: the same for the same plan.
enum SyncPlanId {
    static func of(_ actions: [Action]) -> String {
        let text = (try? JSONText.line(actions)) ?? ""
        return String(SHA256Hasher.hash(Array(text.utf8)).hex.prefix(12))
    }
}
