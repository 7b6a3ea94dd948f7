import BothyContract

/// What tells one state of something on a disk from another: all that a look without reading can tell.
package struct DiskFacts: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case file, folder, symbolicLink
        /// A socket, a pipe or a device.
        case special
    }

    package var kind: Kind
    /// Bytes; of no meaning for folders.
    package var size: Int64
    package var modifiedAt: Timestamp
    /// The inode's own time, which nobody can set: it moves with each write, rename and change of mode.
    package var changedAt: Timestamp
    package var inode: UInt64
    package var device: UInt64
    /// Names that the inode has.
    package var links: Int
    package var executable: Bool

    package init(
        kind: Kind, size: Int64, modifiedAt: Timestamp, changedAt: Timestamp, inode: UInt64, device: UInt64,
        links: Int = 1, executable: Bool = false
    ) {
        self.kind = kind
        self.size = size
        self.modifiedAt = modifiedAt
        self.changedAt = changedAt
        self.inode = inode
        self.device = device
        self.links = links
        self.executable = executable
    }

    /// Whether this is the same content as far as a look can tell, wherever it has been renamed to since: renaming
    /// touches `changedAt`.
    package func holdsTheSame(as other: DiskFacts) -> Bool {
        kind == other.kind && inode == other.inode && device == other.device
            && (kind != .file || (size == other.size && modifiedAt == other.modifiedAt))
    }
}

/// One name in a folder.
package struct DiskEntry: Equatable, Sendable {
    /// The name as it can be shown; it opens the thing only where `isText`.
    package var name: String
    /// False for a name whose bytes are no UTF-8.
    package var isText: Bool
    /// Nil where a look was refused or the thing went away meanwhile.
    package var facts: DiskFacts?

    package init(name: String, isText: Bool = true, facts: DiskFacts?) {
        self.name = name
        self.isText = isText
        self.facts = facts
    }
}
