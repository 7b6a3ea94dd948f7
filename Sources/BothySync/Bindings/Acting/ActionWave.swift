import BothyClient
import BothyContract

/// What of a plan is taken next: actions that stand on nothing of each other go side by side. Pure.
///
/// A plan goes folder by folder, with a handful of files in each. Taken like that, each folder would wait for the files of the one before, and
/// they for it. So the folders of a stretch are made first, then its files go together. Nothing is in a stretch but what is new or newer: what
/// makes way for something, or goes away, is taken by itself, in its place.
struct ActionWave {
    /// One after the other.
    private(set) var parts: [Part]

    /// What goes side by side, as many at a time as ``admits(_:beside:with:)`` says.
    struct Part {
        var actions: [Action]
        /// Whether what comes of them is written down in their order: what is only written down may stand on what was before it, as what
        /// lies in a folder does on that.
        var keepsOrder = false
        /// How many go at a time whatever they carry.
        let width: Int
        /// How many go at a time where they carry little.
        let most: Int

        /// - Parameters:
        ///   - count: how many are under way.
        ///   - bytes: what these carry.
        func admits(_ action: Action, beside count: Int, with bytes: Int64) -> Bool {
            count < width || count < most && bytes + action.step.bytes <= ActionWave.mostBytes
        }
    }

    /// How many actions of the plan these are.
    var count: Int { parts.reduce(0) { $0 + $1.actions.count } }

    /// Actions of one wave at most: what each of them sees is as it was when the wave began.
    static let most = 4_096
    /// Small files that go side by side at most: four times what goes into one request. Two of them are under way, while others are read, and
    /// written down.
    static let mostSmall = 512
    /// Bytes of what goes side by side, where that is more than the usual width.
    static let mostBytes: Int64 = 32 << 20
    /// Folders that are made side by side: each is a request of its own, and others of this device have requests, too.
    static let mostFolders = 16

    /// - Parameters:
    ///   - rest: what is left of the plan; not empty.
    ///   - width: files that go side by side whatever their sizes; 1 for none.
    init(of rest: ArraySlice<Action>, width: Int) {
        precondition(!rest.isEmpty, "a plan that is at its end has nothing to be taken")
        parts = [Part(actions: [rest[rest.startIndex]], width: 1, most: 1)]
        guard width > 1 else { return }
        let first = rest[rest.startIndex].step
        if case .record = first {
            let records = rest.prefix(Self.most).prefix { if case .record = $0.step { true } else { false } }
            let atOnce = Self.mostSmall
            parts = [Part(actions: Array(records), keepsOrder: true, width: atOnce, most: atOnce)]
        } else if first.movesBytes || first.makesFolder {
            parts = Self.stretch(of: rest.prefix(Self.most), width: width)
        }
    }

    private static func stretch(of rest: ArraySlice<Action>, width: Int) -> [Part] {
        let stretch = rest.prefix { $0.step.movesBytes || $0.step.makesFolder }
        let files = stretch.filter(\.step.movesBytes)
        let atOnce = min(width, mostFolders)
        let levels = levels(of: stretch.filter(\.step.makesFolder)).map {
            Part(actions: $0, width: atOnce, most: atOnce)
        }
        return levels + (files.isEmpty ? [] : [Part(actions: files, width: width, most: mostSmall)])
    }

    /// A folder is made after the one that it lies in.
    private static func levels(of folders: [Action]) -> [[Action]] {
        var levels = [[Action]]()
        var depths = [Place: Int]()
        for folder in folders {
            let place = folder.step.places[0]
            let depth = place.isRoot ? 0 : depths[place.parent].map { $0 + 1 } ?? 0
            depths[place] = depth
            if depth == levels.count { levels.append([]) }
            levels[depth].append(folder)
        }
        return levels
    }
}

extension Step {
    var makesFolder: Bool {
        switch self {
        case .makeRemoteFolder, .makeLocalFolder: true
        default: false
        }
    }

    /// Of the content that it moves, or has in memory for it.
    var bytes: Int64 {
        switch self {
        case .upload(_, let mine, _, _): mine.stamp.size
        case .download(_, let theirs, _): theirs.size
        // Its base, too.
        case .merge(_, _, let mine, let theirs): 2 * mine.stamp.size + theirs.size
        default: 0
        }
    }
}
