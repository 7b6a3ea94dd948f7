import BothyClient
import BothyContract

/// What going back to a moment shows.
public struct RestoreState: Equatable, Sendable {
    /// A moment that is offered.
    public struct Choice: Equatable, Sendable, Identifiable {
        /// «A day ago».
        public var title: String
        /// «20 Nov 2026, 14:03».
        public var detail: String
        public var moment: Timestamp

        public var id: String { title }
    }

    /// What becomes of one file or folder.
    public struct Line: Equatable, Sendable, Identifiable {
        public var id: String
        public var kind: FileKind
        /// Where it is, or was: «/Letters/a.txt».
        public var path: String
        /// «Back: its content, its name, from “b.txt”».
        public var about: String
    }

    public enum Standing: Equatable, Sendable {
        case fresh
        /// Which moment?
        case choosing
        /// What would change; nothing where nothing differs.
        case planned(isNothing: Bool)
        case running
        case finished(canUndo: Bool)
        case failed(Notice, isMissing: Bool)
    }

    public let item: ItemID
    /// «“Letters” as it was».
    public var title = ""
    public var crumbs = [Crumb]()
    public var choices = [Choice]()
    /// The plan or the restore that is shown.
    public var restore: DriveRestore.ID?
    /// «As it was on 20 Nov 2026, 14:03».
    public var heading = ""
    public var lead = ""
    /// «3 back as they were», «1 to the trash»; of a plan «Would restore 3 files and folders».
    public var sums = [String]()
    public var lines = [Line]()
    /// There are more than these.
    public var isCut = false
    public var notice: Notice?
    public var standing = Standing.fresh
}

extension Words {
    /// What a restore comes to, in a few words each.
    ///
    /// - Parameter isPlan: nothing of it was done yet.
    func sums(_ counts: RestoreCounts, isPlan: Bool) -> [String] {
        let planned: [(Int, Phrase, Phrase)] = [
            (counts.putBack, .restoreWouldBackOne, .restoreWouldBackMany),
            (counts.trashed, .restoreWouldTrashOne, .restoreWouldTrashMany),
            (counts.recreated, .restoreWouldAnewOne, .restoreWouldAnewMany),
        ]
        let done: [(Int, Phrase, Phrase)] = [
            (counts.putBack, .restoreBackOne, .restoreBackMany), (counts.trashed, .restoreTrashOne, .restoreTrashMany),
            (counts.recreated, .restoreAnewOne, .restoreAnewMany),
        ]
        let stays: [(Int, Phrase, Phrase)] = [
            (counts.lost, .restoreLostOne, .restoreLostMany),
            (counts.skipped, .restoreSkippedOne, .restoreSkippedMany),
        ]
        let all = (isPlan ? planned : done) + stays
        return all.filter { $0.0 > 0 }.map { counted($0.0, one: $0.1, many: $0.2) }
    }

    /// What becomes of one thing.
    func about(_ change: RestoreChange) -> String {
        if change.outcome == .skipped { return self[.restoreSkipped] }
        return switch change.action.known {
        case .putBack:
            filled(
                .restoreGetsBack, change.aspects.compactMap(\.known).map { about($0, change) }.joined(separator: ", "))
        case .trash: self[.restoreToTrash]
        case .recreate: self[.restoreAnew]
        case .lost: self[.restoreLost]
        // Nobody has said it in this language yet.
        case nil: ShownName.of(change.action.rawValue)
        }
    }

    private func about(_ aspect: RestoreChange.Aspect, _ change: RestoreChange) -> String {
        let path = change.path ?? ""
        return switch aspect {
        case .content: self[.restoreContent]
        case .name: filled(.restoreName, ShownName.of(path.split(separator: "/").last.map(String.init) ?? path))
        case .folder: filled(.restorePlace, ShownName.of(path))
        case .untrashed: self[.restoreUntrashed]
        case .executable: self[.restoreExecutable]
        }
    }
}
