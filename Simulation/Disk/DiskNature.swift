import BothyContract
import Foundation

/// What kind of disk a simulated device has.
package struct DiskNature: Equatable, Sendable {
    package enum Naming: String, CaseIterable, Sendable {
        /// Names are bytes, as on ext4 and XFS.
        case exact
        /// Case is kept and not told apart, and neither are the forms of Unicode, as on APFS and NTFS.
        case caseInsensitive
        /// Names are kept decomposed (NFD), whatever form they came in, as on HFS+; case is told apart.
        case decomposing
    }

    package var naming: Naming
    /// Nanoseconds that a file's time is rounded down to: 1, or 2 s as on FAT.
    package var timeGranularity: Int64
    /// Bytes; writes beyond fail as on a full disk. Nil for no bound.
    package var capacity: Int?
    /// Whether a look tells when an inode was made; not on FAT, nor on ext4 with small inodes.
    package var tellsBirth = true
    /// Whether inodes have the numbers that they had when the disk comes back; not on FAT.
    package var keepsInodes = true
    /// Whether a file can be executable or not; on FAT all look alike.
    package var keepsExecutable = true

    package init(naming: Naming = .exact, timeGranularity: Int64 = 1, capacity: Int? = nil) {
        self.naming = naming
        self.timeGranularity = timeGranularity
        self.capacity = capacity
    }

    /// As FAT: two names are one in any case, times are of two seconds, and little else is told.
    package static let stick: DiskNature = {
        var nature = DiskNature(naming: .caseInsensitive, timeGranularity: 2_000_000_000)
        (nature.tellsBirth, nature.keepsInodes, nature.keepsExecutable) = (false, false, false)
        return nature
    }()

    /// The name as this disk keeps it.
    func kept(_ name: String) -> String {
        naming == .decomposing ? name.decomposedStringWithCanonicalMapping : name
    }

    /// Two names are one on this disk when their keys have equal bytes.
    func key(_ name: String) -> [UInt8] {
        switch naming {
        case .exact: Array(name.utf8)
        case .caseInsensitive: Array(name.precomposedStringWithCanonicalMapping.lowercased().utf8)
        case .decomposing: Array(name.decomposedStringWithCanonicalMapping.utf8)
        }
    }

    /// A file's time as this disk can hold it.
    func kept(_ time: Timestamp) -> Timestamp {
        guard timeGranularity > 1 else { return time }
        let seconds = max(1, timeGranularity / 1_000_000_000)
        let rest = ((time.seconds % seconds) + seconds) % seconds
        return Timestamp(seconds: time.seconds - rest)
    }
}
