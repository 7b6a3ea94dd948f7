import BothyClient
import BothyContract

/// What the screen of conflicts shows.
public struct ConflictsState: Equatable, Sendable {
    public struct Side: Equatable, Sendable {
        /// «Yours».
        public var title: String
        /// Where it differs from the other's.
        public var name: String?
        /// «1.2 MB · 20 Nov 2026, 14:03 · laptop», or that nothing is there.
        public var facts: [String]
        public var kind: FileKind
        /// Where it can be opened.
        public var place: Destination?
        public var canOpen: Bool
    }

    public struct Choice: Equatable, Sendable, Identifiable {
        public var kind: ConflictDecision.Choice
        public var label: String
        public var hint: String

        public var id: ConflictDecision.Choice { kind }
    }

    public struct Card: Equatable, Sendable, Identifiable {
        public var id: DeviceConflict.ID
        public var name: String
        /// «Files / Letters», or where it lies on this device.
        public var place: String
        /// «Changed here and elsewhere».
        public var what: String
        /// What the server said.
        public var reason: String?
        public var mine: Side
        public var theirs: Side
        public var choices: [Choice]
        public var canCompare: Bool
        /// Goes along with what the person decides.
        public var seen: String
    }

    public struct Decision: Equatable, Sendable, Identifiable {
        public var id: DecidedConflict.ID
        public var name: String
        /// «both are kept · by itself · 14:03».
        public var about: String
        public var canTakeBack: Bool
    }

    /// What may become of a conflict from now on.
    public struct Policy: Equatable, Sendable, Identifiable {
        public var kind: ConflictResolution
        public var label: String
        public var hint: String
        public var isChosen: Bool

        public var id: ConflictResolution { kind }
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice, isMissing: Bool)
    }

    public var policies = [Policy]()
    public var cards = [Card]()
    public var decided = [Decision]()
    /// What differs between the two sides of the one that is shown by itself.
    public var comparison: ComparisonState.Content?
    public var notice: Notice?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && cards.isEmpty }
}

extension ConflictsState.Card {
    init(_ conflict: DeviceConflict, words: Words, clock: PersonsClock) {
        id = conflict.id
        name = ShownName.of(conflict.name)
        place = conflict.localPath.map { ShownName.of($0) } ?? words.place(conflict.above)
        what = words[Self.phrase(conflict.kind)]
        let isPlain = conflict.kind == .edits || conflict.kind == .deletion
        reason = isPlain ? nil : conflict.failure.map { words.failure($0).text }
        let isRenamed = conflict.theirs != nil && conflict.theirs?.name != conflict.mine.name
        mine = ConflictsState.Side(
            conflict.mine, title: .sideMine, isGone: conflict.kind == .deletion, goneWord: .sideDeleted,
            isRenamed: isRenamed, words: words, clock: clock)
        mine.canOpen = conflict.mine.size != nil
        theirs = ConflictsState.Side(
            conflict.theirs ?? DeviceConflict.Side(name: conflict.name), title: .sideTheirs,
            isGone: conflict.theirs == nil, goneWord: .sideNothing, isRenamed: isRenamed, words: words, clock: clock)
        if let item = conflict.theirs?.item {
            theirs.place = conflict.theirs?.isFolder == true ? .folder(item) : .file(item)
            theirs.canOpen = true
        }
        // Of pictures and the like, no lines can be shown or merged: each is opened by itself.
        let areTexts = conflict.mine.mayBeText && conflict.theirs?.mayBeText ?? true
        choices = conflict.choices.filter { areTexts || $0 != .merged }
            .map { ConflictsState.Choice($0, conflict.kind, words) }
        canCompare = conflict.hasTwoContents && areTexts
        seen = conflict.seen
    }

    private static func phrase(_ kind: DeviceConflict.Kind) -> Phrase {
        switch kind {
        case .edits: .conflictEdits
        case .name: .conflictName
        case .deletion: .conflictDeletion
        case .other: .conflictOther
        }
    }
}

extension DeviceConflict.Side {
    /// Its type or its name says that it is one, or neither says anything.
    fileprivate var mayBeText: Bool {
        let type = mimeType ?? ""
        if MediaType.isText(type, named: name) || MediaType.isText("", named: name) { return true }
        return MediaType.mayBeText(type) && MediaType.of(name) == nil
    }
}

extension ConflictsState.Side {
    fileprivate init(
        _ side: DeviceConflict.Side, title: Phrase, isGone: Bool, goneWord: Phrase, isRenamed: Bool, words: Words,
        clock: PersonsClock
    ) {
        self.title = words[title]
        name = isRenamed ? ShownName.of(side.name) : nil
        kind = side.isFolder ? .folder : FileKind(mediaType: MediaType.told(side.mimeType ?? "", named: side.name))
        canOpen = false
        if isGone {
            facts = [words[goneWord]]
        } else {
            facts = [
                side.isFolder ? words[.sideFolder] : side.size.map(words.size),
                side.modifiedAt.map { words.moment($0, at: clock) },
                side.device.map { ShownName.of($0) } ?? (title == .sideTheirs ? words[.anotherDevice] : nil),
            ].compactMap { $0 }
        }
    }
}

extension ConflictsState.Choice {
    fileprivate init(_ kind: ConflictDecision.Choice, _ conflict: DeviceConflict.Kind, _ words: Words) {
        let (label, hint): (Phrase, Phrase) =
            switch (conflict, kind) {
            case (.deletion, .mine): (.deleteAnyway, .deleteAnywayHint)
            case (.deletion, .theirs): (.keepChanged, .keepChangedHint)
            case (.other, .theirs): (.giveUp, .giveUpHint)
            case (_, .mine): (.keepMine, .keepMineHint)
            case (_, .theirs): (.keepTheirs, .keepTheirsHint)
            case (_, .both): (.keepBoth, .keepBesideHint)
            case (_, .merged): (.merge, .mergeHint)
            }
        self.kind = kind
        self.label = words[label]
        self.hint = words[hint]
    }
}

extension ConflictsState.Decision {
    init(_ decided: DecidedConflict, words: Words, clock: PersonsClock) {
        id = decided.id
        name = ShownName.of(decided.name)
        let by = words[decided.isAutomatic ? .decidedByPolicy : .decidedByYou]
        let kept = decided.undoneAt == nil ? Self.kept(decided, words) : words[.takenBack]
        about = [words.place(decided.above), kept, by, words.date(decided.decidedAt, at: clock)]
            .joined(separator: " · ")
        canTakeBack = decided.undoneAt == nil
    }

    private static func kept(_ decided: DecidedConflict, _ words: Words) -> String {
        switch (decided.kind, decided.choice) {
        case (.deletion, .mine): words[.decidedDeleted]
        case (.deletion, _): words[.decidedKept]
        case (_, .mine): words[.decidedMine]
        case (_, .theirs): words[.decidedTheirs]
        case (_, .both): decided.beside.map { words.filled(.decidedBothAs, ShownName.of($0)) } ?? words[.decidedBoth]
        case (_, .merged): words[.decidedMerged]
        }
    }
}
