import BothyClient

/// Tells in which folders of a bound folder something has changed. What it is, a look finds out.
package protocol FolderWatcher: Sendable {
    /// A mark whenever something has happened since the last one was read; marks that nobody reads become one.
    var marks: AsyncStream<Void> { get }
    /// What has happened since this was asked last.
    func news() -> FolderNews
    /// Watches folders that are not watched yet.
    func cover(_ folders: FoldersToWatch) -> WatchCoverage
    func stop()
}

/// Folders that a look has found.
package enum FoldersToWatch: Sendable {
    /// All that there are: no others are watched from now on.
    case all(LocalTree)
    /// Those that are new.
    case new([(place: Place, inode: UInt64)])
}

/// How much of a tree is watched.
package struct WatchCoverage: Equatable, Sendable {
    /// Folders that are watched from now on, by their inodes: what happened in them before is seen by no one.
    package var added: Set<UInt64> = []
    /// Folders that cannot be watched: the system has no room for more watches.
    package var unwatched = 0

    package init(added: Set<UInt64> = [], unwatched: Int = 0) {
        self.added = added
        self.unwatched = unwatched
    }
}
