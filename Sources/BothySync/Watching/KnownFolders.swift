/// What is known of some folders in a bound one beside what a look tells.
package struct KnownFolders: Equatable, Sendable {
    /// Ids on the server of folders that are agreed on, in which another part of the disk was mounted (a bind mount).
    package var mounts: Set<String>
    /// Marks of folders that are in step at their own places, outside of this one: what has such a mark here is a copy.
    package var marksElsewhere: Set<String>

    package init(mounts: Set<String> = [], marksElsewhere: Set<String> = []) {
        self.mounts = mounts
        self.marksElsewhere = marksElsewhere
    }
}
