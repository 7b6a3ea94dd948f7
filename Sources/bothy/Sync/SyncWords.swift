import BothyClient
import BothySync

/// What folder sync says to a person.
enum SyncWords {
    /// Lines about what is not synced, by kind; the first few of each.
    static func standing(_ plan: Plan, misfits: [Misfit], in folder: Binding) -> [String] {
        waiting(plan, misfits: misfits, in: folder, shown: shown, where: \.isTold)
            + [heldBack(plan), leftOut(plan)].compactMap(\.self)
    }

    /// The same for a look before anything is done: what rules leave out has a line for each, with the rule.
    static func listed(_ plan: Plan, misfits: [Misfit], in folder: Binding) -> [String] {
        let ignored = plan.standing.filter(\.value.isIgnored).sorted { $0.key < $1.key }
        var lines = waiting(plan, misfits: misfits, in: folder, shown: listed) { !$0.isIgnored }
        lines += ignored.prefix(listed).map { "excluded: \($0.key): \($0.value.words)" }
        if ignored.count > listed { lines.append("… and \(ignored.count - listed) more excluded; --json lists all") }
        return lines
    }

    /// The same of what does not pass by itself.
    static func lasting(_ plan: Plan, misfits: [Misfit], in folder: Binding) -> [String] {
        waiting(plan, misfits: misfits, in: folder, shown: shown) { $0.isTold && $0.isLasting }
    }

    private static func waiting(
        _ plan: Plan, misfits: [Misfit], in folder: Binding, shown: Int, where isMeant: (Standing) -> Bool
    ) -> [String] {
        // Of what a guard holds back, and why, is told as a whole.
        let told = plan.standing.filter { isMeant($0.value) && $0.value != .held(.guarded) }
            .sorted { ($0.value.urgency, $0.key) < ($1.value.urgency, $1.key) }
        var lines = told.prefix(shown).map {
            "\($0.key): \($0.value.words); \(plan.remedy(of: $0.value.cause, at: $0.key, in: folder))"
        }
        if told.count > shown { lines.append("… and \(told.count - shown) more; --json lists all") }
        lines += misfits.prefix(shown).map { "\($0.name) (on the server): \($0.reason.words); \($0.reason.remedy)" }
        if misfits.count > shown { lines.append("… and \(misfits.count - shown) more on the server") }
        return lines
    }

    private static func heldBack(_ plan: Plan) -> String? {
        let held = plan.standing.filter { $0.value == .held(.guarded) }.keys.sorted()
        return held.isEmpty ? nil : "\(held.count) held back: \(few(held)) (“bothy why FILE” explains each)"
    }

    /// What rules leave out; nil where they leave out nothing.
    static func leftOut(_ plan: Plan) -> String? {
        let ignored = plan.standing.filter(\.value.isIgnored).keys.sorted()
        if ignored.isEmpty { return nil }
        return "\(ignored.count) excluded by rules: \(few(ignored)) (“bothy why FILE” shows which)"
    }

    /// Of each kind.
    static let shown = 10
    /// The same where somebody asked for a list: as many as are read on a terminal at all.
    private static let listed = 500
    /// Names of what nobody has to look at.
    private static let fewShown = 3

    private static func few(_ places: [Place]) -> String {
        let names = places.prefix(fewShown).map(\.text).joined(separator: ", ")
        return places.count > fewShown ? "\(names) and \(places.count - fewShown) more" : names
    }

    static func summary(_ report: PassReport) -> String {
        let deeds = report.countOfDeeds
        if deeds == 0 {
            if report.plan.sighting != nil || !report.failed.isEmpty { return "Nothing was done." }
            let waits = report.plan.standing.contains(where: \.value.isTold)
            if waits || !report.misfits.isEmpty { return "Nothing was done; everything else is synced." }
            let aside = Binding.Waiting(report).aside
            return aside.map { "Everything else is synced: \($0)." } ?? "Everything is synced."
        }
        // Without a number it takes back what was sent from here.
        let isOwn = report.taken.contains { $0.action.step.changesTheServer }
        let undo = isOwn ? "bothy undo" : report.passId.map { "bothy undo \($0)" } ?? "bothy undo"
        return deeds == 1
            ? "1 change synced. “\(undo)” undoes it."
            : "\(deeds) changes synced. “\(undo)” undoes them."
    }

    static func watching(_ binding: Binding, _ coverage: WatchCoverage) -> String {
        var text =
            TerminalText.safe("Syncing \(binding.localPath) with \(binding.remotePath). Ctrl-C ends it.") + "\n"
        if coverage.unwatched > 0 {
            text += """
                \(coverage.unwatched) folders cannot be watched: this system allows no more watches
                (fs.inotify.max_user_watches). They are scanned every 30 seconds instead.

                """
        }
        return text
    }

    static func words(_ sighting: Guard.Sighting) -> String {
        let words = sighting.words
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    /// What it saw, and what became of it.
    static func stopped(_ sighting: Guard.Sighting) -> String {
        if case .manyDeletions = sighting { return "\(words(sighting)) Nothing of that is done until you confirm." }
        return String(words(sighting).dropLast()) + ", so nothing was done."
    }

    static func remedy(_ sighting: Guard.Sighting, _ binding: Binding) -> String {
        let remedy = RemedyWords.filled(
            sighting.remedy, folder: binding.localPath, remote: binding.remotePath)
        return remedy.prefix(1).uppercased() + remedy.dropFirst() + "."
    }

    /// Of two plans, what only one of them has; the first few.
    static func changes(from old: [Action], to new: [Action]) -> String {
        let (before, now) = (Set(old), Set(new))
        let gone = old.filter { !now.contains($0) }.map(\.step.act.words)
        let come = new.filter { !before.contains($0) }.map(\.step.act.words)
        // What would be done alike, with something that has changed since.
        let again = Set(gone).intersection(come)
        let parts = [
            come.filter(again.contains).map { "would have \($0) in its current state" },
            gone.filter { !again.contains($0) }.map { "would no longer have \($0)" },
            come.filter { !again.contains($0) }.map { "would also have \($0)" },
        ]
        let told = parts.flatMap { $0.prefix(fewShown) }.joined(separator: ", ")
        let left = parts.map { max(0, $0.count - fewShown) }.reduce(0, +)
        return "it \(told)" + (left > 0 ? ", and \(left) more" : "")
    }
}
