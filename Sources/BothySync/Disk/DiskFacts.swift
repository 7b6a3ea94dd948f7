import BothyContract

/// What a look without reading tells of something on a disk.
package struct DiskFacts: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case file, folder
        case special(SpecialKind)
    }

    package var kind: Kind
    /// Its `device` is 0: all that is synced lies on the bound folder's own disk, and that disk's number may be another
    /// after each start of the machine.
    package var stamp: LocalStamp
    package var device: UInt64
    /// Names that the inode has.
    package var links: Int
    package var executable: Bool
    /// Whether something is mounted there, from this disk or another.
    package var isMountRoot = false
    /// Of what is expected: the content that it must have, where its stamp does not vouch for that (``LocalStamp/isRecent``).
    package var content: ContentHash?

    package init(kind: Kind, stamp: LocalStamp, device: UInt64 = 0, links: Int = 1, executable: Bool = false) {
        self.kind = kind
        self.stamp = stamp
        self.device = device
        self.links = links
        self.executable = executable
    }

    /// Whether this is the same content as far as a look can tell, wherever it has been renamed to since: renaming
    /// touches `changedAt`.
    package func holdsTheSame(as other: DiskFacts) -> Bool {
        kind == other.kind && stamp.isSameInode(as: other.stamp)
            && (kind != .file
                || (stamp.size == other.stamp.size && stamp.modifiedAt == other.stamp.modifiedAt))
    }

    /// Whether both are the same folder, reached by two paths: one is a mount of the other.
    func isSameFolder(as other: DiskFacts) -> Bool { device == other.device && stamp.inode == other.stamp.inode }

    /// Whether this may be the other, made anew with its time.
    package func isCopy(of other: DiskFacts) -> Bool {
        kind == other.kind && (kind != .file || stamp.isSameContent(as: other.stamp))
    }

    /// Whether nothing at all was done to it since, its name aside: a program that writes and then puts size and time back cannot
    /// put back when its inode changed. Of a folder, what is in it is not asked.
    package func isUntouched(since other: DiskFacts) -> Bool {
        holdsTheSame(as: other) && (kind != .file || stamp.changedAt == other.stamp.changedAt)
    }
}

/// One name in a folder.
package struct DiskEntry: Equatable, Sendable {
    /// The name as it can be shown; it opens the thing only where `isText`.
    package var name: NodeName
    /// False for a name whose bytes are no UTF-8.
    package var isText: Bool
    /// Nil where a look was refused or the thing went away meanwhile.
    package var facts: DiskFacts?

    package init(name: NodeName, isText: Bool = true, facts: DiskFacts?) {
        self.name = name
        self.isText = isText
        self.facts = facts
    }
}
