import BothyContract

/// What a disk makes of names and attributes.
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

    package init(
        spelling: Spelling = .exact, tellsCaseApart: Bool = true, followsWindowsRules: Bool = false,
        longestName: Int = 255, keepsExecutable: Bool = true
    ) {
        self.spelling = spelling
        self.tellsCaseApart = tellsCaseApart
        self.followsWindowsRules = followsWindowsRules
        self.longestName = longestName
        self.keepsExecutable = keepsExecutable
    }

    /// Whether the disk takes names for one that differ in their bytes.
    package var foldsNames: Bool { spelling != .exact || !tellsCaseApart }

    /// Whether a name from the server is the same here, byte for byte.
    package var holdsEveryName: Bool { !foldsNames && !followsWindowsRules && longestName >= FileName.maximumBytes }

    /// A disk that holds every name that the server does (ext4, xfs, btrfs).
    package static let exact = DiskTraits()
}
