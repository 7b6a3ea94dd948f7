import BothyClient

/// Tells that something in a bound folder has changed. What it is, a scan finds out.
package protocol FolderWatcher: Sendable {
    /// A mark whenever something has happened since the last one was read; marks that nobody reads become one.
    var marks: AsyncStream<Void> { get }
    /// Watches the folders of a tree that are not watched yet, and no longer those that are gone.
    func cover(_ tree: LocalTree) -> WatchCoverage
    func stop()
}

/// How much of a tree is watched.
package struct WatchCoverage: Equatable, Sendable {
    /// Folders that are watched from now on: what happened in them before is seen by no one.
    package var added = 0
    /// Folders that cannot be watched: the system has no room for more watches.
    package var unwatched = 0

    package init(added: Int = 0, unwatched: Int = 0) {
        self.added = added
        self.unwatched = unwatched
    }
}
