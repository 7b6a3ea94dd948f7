/// What may have changed in a bound folder since it was looked at last.
package struct FolderNews: Equatable, Sendable {
    /// Nobody can say what: anything.
    package var isEverything = false
    /// Folders in which something came, went or changed, by their inodes: so they are known wherever they are by now.
    package var folders: Set<UInt64> = []

    package init(isEverything: Bool = false, folders: Set<UInt64> = []) {
        self.isEverything = isEverything
        self.folders = folders
    }

    package static let everything = FolderNews(isEverything: true)
    package static let nothing = FolderNews()

    package mutating func formUnion(_ other: FolderNews) {
        isEverything = isEverything || other.isEverything
        folders.formUnion(other.folders)
    }
}
