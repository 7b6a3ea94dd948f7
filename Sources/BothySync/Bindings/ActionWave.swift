import BothyClient
import BothyContract

/// What of a plan is taken next: actions that stand on nothing of each other go side by side. Pure.
///
/// A plan goes folder by folder, with a handful of files in each. Taken like that, each folder would wait for the files of the one before, and
/// they for it. So the folders of a stretch are made first, then its files go together. Nothing is in a stretch but what is new or newer: what
/// makes way for something, or goes away, is taken by itself, in its place.
struct ActionWave {
    /// One after the other; what is in each goes side by side.
    private(set) var parts: [[Action]]
    /// How many actions of the plan these are.
    private(set) var count: Int

    /// Small files that go side by side at most: twice what goes into one request.
    static let mostSmall = 256
    /// Bytes of what goes side by side, where that is more than the usual width.
    static let mostBytes: Int64 = 32 << 20
    /// Folders that are made side by side: each is a request of its own, and others of this device have requests, too.
    static let mostFolders = 16

    /// - Parameters:
    ///   - rest: what is left of the plan; not empty.
    ///   - width: files that go side by side whatever their sizes; 1 for none.
    init(of rest: ArraySlice<Action>, width: Int) {
        precondition(!rest.isEmpty, "a plan that is at its end has nothing to be taken")
        (parts, count) = ([[rest[rest.startIndex]]], 1)
        guard width > 1 else { return }
        let first = rest[rest.startIndex].step
        if case .record = first {
            let records = rest.prefix(Self.mostSmall).prefix { if case .record = $0.step { true } else { false } }
            (parts, count) = ([Array(records)], records.count)
        } else if first.movesBytes || first.makesFolder {
            (parts, count) = Self.stretch(of: rest, width: width)
        }
    }

    private static func stretch(of rest: ArraySlice<Action>, width: Int) -> ([[Action]], Int) {
        var (folders, files) = ([Action](), [Action]())
        var bytes: Int64 = 0
        for action in rest {
            if action.step.movesBytes {
                bytes += action.step.bytes
                guard files.count < width || files.count < mostSmall && bytes <= mostBytes else { break }
                files.append(action)
            } else if action.step.makesFolder, folders.count < mostSmall {
                folders.append(action)
            } else {
                break
            }
        }
        let most = min(width, mostFolders)
        let groups = levels(of: folders).flatMap { level in
            stride(from: 0, to: level.count, by: most).map { Array(level[$0..<min($0 + most, level.count)]) }
        }
        let parts = groups + (files.isEmpty ? [] : [files])
        return (parts, folders.count + files.count)
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
    fileprivate var bytes: Int64 {
        switch self {
        case .upload(_, let mine, _, _): mine.stamp.size
        case .download(_, let theirs, _): theirs.size
        // Its base, too.
        case .merge(_, _, let mine, let theirs): 2 * mine.stamp.size + theirs.size
        default: 0
        }
    }
}
