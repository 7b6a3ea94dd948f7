import BothyClient
import BothyContract

/// What a look saw of both sides, kept for the next one, which then costs as much as has changed.
struct Sight: Sendable {
    var scene: ActionPerformer.Scene
    /// Those that hold in the folder.
    var rules: IgnoreRules
    /// What its ignore files say, and what of it is agreed to.
    var review: RulesReview
    /// The bound folder on the server and all above it: of what happens to them, only everything can tell.
    var above: Set<String>
    /// The bound folder's own folders by their inodes; some of them may be gone.
    private(set) var folders: [UInt64: LocalTree.ID] = [:]
    /// What is not at rest as far as is known.
    var unsettled: Touched?
    /// What was left alone because it was still being written.
    var busyFiles: Set<Place> = []

    init(scene: ActionPerformer.Scene, seen: FolderScan.Seen, above: Set<String>) {
        self.scene = scene
        rules = seen.rules
        review = seen.review
        self.above = above
        for node in scene.local.tree.subtree(of: .root) { note(node) }
    }

    /// What has changed here since a look, and was not looked at yet.
    struct Untold: Sendable {
        var isEverything = true
        var news = FolderNews.nothing
        var places: [Place: NamesInFolder] = [:]

        mutating func take(_ news: FolderNews) {
            isEverything = isEverything || news.isEverything
            self.news.formUnion(news)
        }

        static let nothing: Untold = {
            var untold = Untold()
            untold.isEverything = false
            return untold
        }()
    }

    private mutating func note(_ node: LocalTree.ID) {
        let facts = scene.local[node]
        if facts.kind == .folder { folders[facts.stamp.inode] = node }
    }

    mutating func note(_ newFolders: [Place]) {
        for place in newFolders {
            if let node = scene.local.node(at: place) { note(node) }
        }
    }

    /// Where folders are of which something was told.
    mutating func places(of news: FolderNews) -> [Place: NamesInFolder] {
        var places: [Place: NamesInFolder] = [:]
        for (inode, part) in news.folders {
            guard let node = folders[inode] else { continue }
            let tree = scene.local.tree
            if tree.contains(node), tree[node].kind == .folder, tree[node].stamp.inode == inode {
                places[tree.place(of: node)] = part
            } else {
                folders[inode] = nil
            }
        }
        return places
    }

    /// A new plan: nothing of it has been done.
    mutating func forgetOwn() {
        scene.ownVersions = [:]
        scene.ownSpots = [:]
        scene.ownChanges = [:]
    }

    /// Moves what is agreed on by one action that was taken.
    mutating func settle(_ action: Action, _ outcome: Outcome) -> SettledRows {
        let rows = scene.synced.settle(action, outcome)
        unsettled?.ids.formUnion(rows.written)
        unsettled?.ids.formUnion(rows.removed)
        return rows
    }
}
