import BothyContract

/// By what a disk's node is known again without reading it.
package struct LocalStamp: Codable, Sendable {
    package var inode: UInt64
    /// Bytes; 0 for a folder.
    package var size: Int64
    /// When its content last changed, as the disk says.
    package var modifiedAt: Timestamp
    /// When its inode last changed.
    package var changedAt: Timestamp
    /// When its inode was made, where the disk knows. It tells a folder from another that was given its inode.
    package var bornAt: Timestamp?
    /// Whether the file was changed so shortly before its content was read that a later edit may have left this very stamp
    /// (``DiskClock/isRecent(_:)``). Such a stamp vouches for no content. It is no part of what is compared, and what is decoded is taken
    /// for recent: nothing is known of the look that it is from.
    package var isRecent = true

    private enum CodingKeys: CodingKey {
        case inode, size, modifiedAt, changedAt, bornAt
    }

    package init(
        inode: UInt64 = 0, size: Int64 = 0, modifiedAt: Timestamp = Timestamp(seconds: 0),
        changedAt: Timestamp = Timestamp(seconds: 0), bornAt: Timestamp? = nil, isRecent: Bool = false
    ) {
        self.inode = inode
        self.size = size
        self.modifiedAt = modifiedAt
        self.changedAt = changedAt
        self.bornAt = bornAt
        self.isRecent = isRecent
    }

    /// Whether both are stamps of the same inode, as far as can be told.
    package func isSameInode(as other: LocalStamp) -> Bool {
        guard inode == other.inode else { return false }
        guard let born = bornAt, let otherBorn = other.bornAt else { return true }
        return born == otherBorn
    }

    /// Whether nothing says that the content is another.
    package func isSameContent(as other: LocalStamp) -> Bool {
        size == other.size && modifiedAt == other.modifiedAt
    }

    /// The same without the number of its inode.
    var withoutInode: LocalStamp {
        var stamp = self
        stamp.inode = 0
        return stamp
    }
}

extension LocalStamp: Hashable {
    package static func == (one: LocalStamp, other: LocalStamp) -> Bool {
        one.inode == other.inode && one.size == other.size && one.modifiedAt == other.modifiedAt
            && one.changedAt == other.changedAt && one.bornAt == other.bornAt
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(inode)
        hasher.combine(size)
        hasher.combine(modifiedAt)
        hasher.combine(changedAt)
        hasher.combine(bornAt)
    }
}
