/// What is known of some folders in a bound one beside what a look tells.
package struct KnownFolders: Sendable {
    /// Ids on the server of folders that are agreed on, in which another part of the disk was mounted (a bind mount).
    package var mounts: Set<String>
    /// Whether a folder that was met in this one, with the mark of a synced folder, is a copy of that: the other is at its own place,
    /// and is not this very folder. Asked only where a mark was met: the other may lie on a disk that does not answer.
    package var isCopy: @Sendable (_ mark: String, _ met: DiskFacts) -> Bool

    package init(
        mounts: Set<String> = [],
        isCopy: @escaping @Sendable (_ mark: String, _ met: DiskFacts) -> Bool = { _, _ in false }
    ) {
        self.mounts = mounts
        self.isCopy = isCopy
    }
}
