/// What is kept, in figures: of one account, or of all together.
package struct StorageFigures: Equatable, Sendable {
    /// With what lies in the trash.
    package var files: Int64 = 0
    package var folders: Int64 = 0
    /// All versions of all files, the newest ones among them.
    package var versions: Int64 = 0
    /// Bytes of the files as they are now.
    package var currentBytes: Int64 = 0
    /// Bytes of all versions, as if each were a file of its own.
    package var logicalBytes: Int64 = 0
    /// Pictures and videos of posts, those that wait for their time among them.
    package var attachments: Int64 = 0
    /// Bytes of these, as if each were a file of its own.
    package var attachedBytes: Int64 = 0
    /// Blocks that some version or post refers to; each is kept once for its account.
    package var blocks: Int64 = 0
    /// Bytes of those blocks.
    package var uniqueBytes: Int64 = 0
    /// Bytes that those blocks take in the packs, with what the packs add to each.
    package var storedBytes: Int64 = 0
    /// Bytes that those blocks do not take because they are compressed.
    package var savedBytes: Int64 = 0
    /// Bytes that other blocks take in the packs: uploads that are under way or were broken off, and for a day what was
    /// deleted for good.
    package var waitingBytes: Int64 = 0

    package init() {}

    package static func += (sum: inout Self, part: Self) {
        sum.files += part.files
        sum.folders += part.folders
        sum.versions += part.versions
        sum.currentBytes += part.currentBytes
        sum.logicalBytes += part.logicalBytes
        sum.attachments += part.attachments
        sum.attachedBytes += part.attachedBytes
        sum.blocks += part.blocks
        sum.uniqueBytes += part.uniqueBytes
        sum.storedBytes += part.storedBytes
        sum.savedBytes += part.savedBytes
        sum.waitingBytes += part.waitingBytes
    }

    /// What the packs take on the disk and no version or post refers to: what waits, and the room of what was freed.
    ///
    /// - Parameter packBytes: what they take in all.
    package func garbageBytes(ofPacks packBytes: Int64) -> Int64 { max(0, packBytes - storedBytes) }
}
