/// What may have changed in a bound folder since it was looked at last.
package struct FolderNews: Equatable, Sendable {
    /// Nobody can say what: anything.
    package var isEverything = false
    /// What came, went or changed in which folders, by their inodes: so they are known wherever they are by now.
    package var folders: [UInt64: NamesInFolder] = [:]

    package init(isEverything: Bool = false, folders: Set<UInt64> = []) {
        self.isEverything = isEverything
        for folder in folders { self.folders[folder] = .all }
    }

    package static let everything = FolderNews(isEverything: true)
    package static let nothing = FolderNews()

    package mutating func formUnion(_ other: FolderNews) {
        isEverything = isEverything || other.isEverything
        folders.merge(other.folders) { $0.union($1) }
    }

    /// - Parameter name: nil where it may be any, or the folder itself.
    package mutating func note(_ name: NodeName?, in folder: UInt64) {
        let part = name.map { NamesInFolder.some([$0]) } ?? .all
        folders[folder] = folders[folder]?.union(part) ?? part
    }
}
