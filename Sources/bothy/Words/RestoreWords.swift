import BothyContract

/// What a restore does, or did, in words for a person.
enum RestoreWords {
    /// `back   /docs/a.txt  (content, was /docs/b.txt)`
    static func line(_ change: RestoreChange) -> String {
        let slash = change.isFolder ? "/" : ""
        let path = change.path ?? change.pastPath ?? change.fileId
        switch change.action.known {
        case .putBack:
            let back = change.pastPath ?? path
            let reasons = reasons(change, from: path)
            return "back   \(back)\(slash)" + (reasons.isEmpty ? "" : "  (\(reasons.joined(separator: ", ")))")
        case .trash:
            let why = change.pastPath == nil ? "was not there" : "was not in it"
            return "trash  \(path)\(slash)  (\(why))"
        case .recreate:
            return "anew   \(path)\(slash)  (was deleted for good)"
        case .lost:
            let when = change.lostAt.map { " on \(MomentText.text($0))" } ?? ""
            return "lost   \(path)\(slash)  (deleted for good\(when); cannot come back)"
        case nil: return "\(change.action.rawValue)  \(path)\(slash)"
        }
    }

    private static func reasons(_ change: RestoreChange, from path: String) -> [String] {
        change.aspects.compactMap { aspect in
            switch aspect.known {
            case .content: "its content"
            case .name: change.aspects.contains { $0 == .folder } ? nil : "is “\(path.pathNames.last ?? "")” now"
            case .folder: "is \(path) now"
            case .untrashed: "from the trash"
            case .executable: "its executable bit"
            case nil: aspect.rawValue
            }
        }
    }

    static func planned(_ plan: DriveRestore, path: String) -> [String] {
        guard plan.counts.changes > 0 else { return [already(plan, path)] }
        let then = plan.askedAt == nil ? "" : "As it was on \(moment(plan)): "
        return [
            then + sums(plan.counts, isDone: false) + lost(plan.counts) + " Nothing has changed yet.",
            "  Do it with: bothy restore --plan \(plan.restoreId)",
        ]
    }

    static func finished(_ restore: DriveRestore, path: String) -> [String] {
        guard restore.counts.changes > 0 else { return [already(restore, path)] }
        let undo = restore.before.map { "  Undo it with: bothy restore \(path.asTyped) --at \($0)" }
        return [
            "“\(path)” is again as it was on \(moment(restore)). "
                + sums(restore.counts, isDone: true) + lost(restore.counts)
        ] + (undo.map { [$0] } ?? [])
    }

    private static func already(_ restore: DriveRestore, _ path: String) -> String {
        "“\(path)” is as it was on \(moment(restore)) already." + lost(restore.counts)
    }

    /// `2026-11-20 14:00, the last moment before 2026-11-21 09:30 that is kept`
    private static func moment(_ restore: DriveRestore) -> String {
        let asked = restore.askedAt.map { ", the last moment before \(MomentText.text($0)) that is kept" }
        return MomentText.text(restore.at) + (asked ?? "")
    }

    static func skipped(_ change: RestoreChange) -> String {
        "“\(change.path ?? change.pastPath ?? change.fileId)” changed meanwhile, and stays as it is."
    }

    static func things(_ count: Int) -> String { count == 1 ? "1 thing" : "\(count) things" }

    private static func sums(_ counts: RestoreCounts, isDone: Bool) -> String {
        var parts: [String] = []
        if counts.putBack > 0 { parts.append("\(things(counts.putBack)) \(verb(counts.putBack, isDone)) back") }
        if counts.recreated > 0 {
            let folders = counts.recreated == 1 ? "1 folder" : "\(counts.recreated) folders"
            parts.append("\(folders) \(counts.recreated == 1 ? "is" : "are") created again")
        }
        if counts.trashed > 0 {
            parts.append(
                "\(things(counts.trashed)) \(verb(counts.trashed, isDone)) \(isDone ? "in" : "to") the trash")
        }
        return parts.joined(separator: ", ") + "."
    }

    private static func verb(_ count: Int, _ isDone: Bool) -> String {
        isDone ? count == 1 ? "is" : "are" : count == 1 ? "goes" : "go"
    }

    private static func lost(_ counts: RestoreCounts) -> String {
        guard counts.lost > 0 else { return "" }
        return
            " \(things(counts.lost)) \(counts.lost == 1 ? "was" : "were") deleted for good since and cannot come back."
    }
}

extension RestoreCounts {
    fileprivate var changes: Int { putBack + trashed + recreated }
}
