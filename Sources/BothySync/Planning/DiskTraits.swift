import BothyClient
import BothyContract

/// What a disk makes of names and attributes, and what its stamps can tell.
package struct DiskTraits: Hashable, Codable, Sendable {
    /// How the disk spells Unicode.
    package enum Spelling: String, Codable, Sendable {
        /// As it is told (ext4, xfs, btrfs).
        case exact
        /// In Normalization Form D (HFS+).
        case decomposed
        /// As it is told, and takes all spellings for the same (APFS).
        case insensitive
    }

    package var spelling: Spelling
    package var tellsCaseApart: Bool
    /// Whether names follow Windows' rules (FAT, exFAT, NTFS): no `<>:"|?*\`, no dot or space at the end, no `CON`, `NUL` …
    package var followsWindowsRules: Bool
    /// Bytes of UTF-8; 255 on most disks, 143 on eCryptfs.
    package var longestName: Int
    package var keepsExecutable: Bool
    /// Nanoseconds: the disk rounds times down to multiples of this. 1 on most disks; a second on ext4 with small inodes, two on FAT.
    package var timeGranularity: Int64
    /// Whether an inode has the same number after the disk was mounted anew. FAT, exFAT and most of FUSE count anew.
    package var keepsInodes: Bool
    /// Whether the disk tells when an inode was made.
    package var tellsBirth: Bool

    package init(
        spelling: Spelling = .exact, tellsCaseApart: Bool = true, followsWindowsRules: Bool = false,
        longestName: Int = 255, keepsExecutable: Bool = true, timeGranularity: Int64 = 1, keepsInodes: Bool = true,
        tellsBirth: Bool = true
    ) {
        self.spelling = spelling
        self.tellsCaseApart = tellsCaseApart
        self.followsWindowsRules = followsWindowsRules
        self.longestName = longestName
        self.keepsExecutable = keepsExecutable
        self.timeGranularity = timeGranularity
        self.keepsInodes = keepsInodes
        self.tellsBirth = tellsBirth
    }

    /// As much of a stamp as still says something when the disk was mounted anew.
    func lasting(_ stamp: LocalStamp) -> LocalStamp { keepsInodes ? stamp : stamp.withoutInode }

    /// Whether a stamp that was written down is that of what stands in the same place now.
    func isSame(_ known: LocalStamp, _ now: LocalStamp) -> Bool { lasting(known) == lasting(now) }

    /// Whether an inode that was written down is the one that stands in the same place now, as far as can be told.
    func isSameInode(_ known: LocalStamp, _ now: LocalStamp) -> Bool { lasting(known).isSameInode(as: lasting(now)) }

    /// Whether the disk takes names for one that differ in their bytes.
    package var foldsNames: Bool { spelling != .exact || !tellsCaseApart }

    /// Whether a name from the server is the same here, byte for byte.
    package var holdsEveryName: Bool { !foldsNames && !followsWindowsRules && longestName >= FileName.maximumBytes }

    /// A disk that holds every name that the server does (ext4, xfs, btrfs).
    package static let exact = DiskTraits()

    /// What is taken of a disk that cannot be tried out: that it tells as little as any.
    package static let cautious = DiskTraits(timeGranularity: 2_000_000_000, keepsInodes: false, tellsBirth: false)

    /// What holds in a pass in which a disk could not be tried out: what was known of it. A disk that is read-only or full cannot be tried
    /// out at all, and what is on it can still be sent: of such a one nobody knew anything of, the most cautious is taken.
    ///
    /// - Parameters:
    ///   - known: what was found out before; nil where nothing was.
    ///   - failure: what kept it from being tried out.
    /// - Throws: `failure`, where it says nothing of whether the disk takes anything: it is tried out again.
    static func untried(known: DiskTraits?, because failure: ClientFailure) throws(ClientFailure) -> DiskTraits {
        if failure.code == .canceled { throw failure }
        if let known { return known }
        guard failure.code == .permissionDenied || failure.code == .diskFull else { throw failure }
        return cautious
    }
}
