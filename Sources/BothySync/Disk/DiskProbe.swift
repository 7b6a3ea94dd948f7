import BothyClient
import BothyContract

/// Finds out what a bound folder's disk makes of names and attributes, by trying it in the private folder. It leaves nothing there.
///
/// A try that fails says nothing of the disk: the probe fails with it, and is made again.
package enum DiskProbe {
    private static let prefix = "bothy-probe-"
    /// Bytes of the longest names that disks hold: most, and eCryptfs.
    private static let longestNames = [255, 143]
    /// A time with no zeros at its end, in an odd second.
    private static let fineTime = Timestamp(seconds: 1_700_000_001, nanoseconds: 987_654_321)
    /// Nanoseconds to which disks round times: most, NTFS, and on to FAT.
    private static let granularities: [Int64] = [
        1, 100, 1_000, 1_000_000, 10_000_000, 1_000_000_000, 2_000_000_000,
    ]

    /// - Throws: `ClientFailure` where the private folder is not there or cannot be written, and whatever else a try fails with.
    package static func traits(of disk: any FolderDisk) throws(ClientFailure) -> DiskTraits {
        var traits = DiskTraits()
        traits.tellsCaseApart = try !finds("case", as: "CASE", on: disk)
        traits.spelling = try spelling(of: disk)
        traits.followsWindowsRules = try !takes("a:b", on: disk)
        for length in longestNames {
            traits.longestName = length
            if try takes(String(repeating: "x", count: length - prefix.utf8.count), on: disk) { break }
        }
        traits.keepsExecutable = try keepsExecutable(disk)
        (traits.timeGranularity, traits.tellsBirth) = try times(of: disk)
        traits.keepsInodes = try disk.keepsInodes()
        return traits
    }

    private static func with<Value>(
        _ name: String, on disk: any FolderDisk, _ body: (String) throws(ClientFailure) -> Value
    ) throws(ClientFailure) -> Value {
        let name = prefix + name
        try disk.stage([], as: name)
        do {
            let value = try body(name)
            try disk.unstage(name)
            return value
        } catch {
            // The next pass clears away what is left in the staging folder.
            try? disk.unstage(name)
            throw error
        }
    }

    private static func finds(
        _ name: String, as other: String, on disk: any FolderDisk
    ) throws(ClientFailure) -> Bool {
        try with(name, on: disk) { _ throws(ClientFailure) in
            try disk.facts(disk.stagedPlace(prefix + other)) != nil
        }
    }

    private static func spelling(of disk: any FolderDisk) throws(ClientFailure) -> DiskTraits.Spelling {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let isKept = try with(composed, on: disk) { name throws(ClientFailure) in
            try disk.staged().contains { $0.utf8.elementsEqual(name.utf8) }
        }
        if !isKept { return .decomposed }
        return try finds(composed, as: decomposed, on: disk) ? .insensitive : .exact
    }

    private static func takes(_ name: String, on disk: any FolderDisk) throws(ClientFailure) -> Bool {
        do throws(ClientFailure) {
            if try disk.takesName(prefix + name) { return true }
        } catch {
            // Disks refuse names with all kinds of errors: whether this one is about the name, a plain one tells.
        }
        // Where a plain name is refused too, the refusal is not about the name.
        guard try disk.takesName(prefix + "plain") else {
            throw ClientFailure(.diskFailed, "“\(disk.absolute(.root))” does not accept new files.")
        }
        return false
    }

    private static func facts(_ place: Place, on disk: any FolderDisk) throws(ClientFailure) -> DiskFacts {
        guard let facts = try disk.facts(place) else {
            throw ClientFailure(.fileMissing, "“\(disk.absolute(place))” disappeared while it was scanned.")
        }
        return facts
    }

    private static func keepsExecutable(_ disk: any FolderDisk) throws(ClientFailure) -> Bool {
        try with("mode", on: disk) { name throws(ClientFailure) in
            let place = disk.stagedPlace(name)
            for executable in [true, false] {
                let facts = try facts(place, on: disk)
                do throws(ClientFailure) {
                    let now = try disk.touch(
                        place, modifiedAt: facts.stamp.modifiedAt, executable: executable, expecting: facts)
                    if now.executable != executable { return false }
                } catch  where error.code == .permissionDenied {
                    // FAT refuses what it cannot keep. Others keep the bit, and no times.
                    if try Self.facts(place, on: disk).executable != executable { return false }
                }
            }
            return true
        }
    }

    private static func times(of disk: any FolderDisk) throws(ClientFailure) -> (granularity: Int64, birth: Bool) {
        try with("time", on: disk) { name throws(ClientFailure) in
            let place = disk.stagedPlace(name)
            let facts = try facts(place, on: disk)
            let isBirthTold = facts.stamp.bornAt != nil
            do throws(ClientFailure) {
                let now = try disk.touch(place, modifiedAt: fineTime, executable: facts.executable, expecting: facts)
                return (granularity(of: now.stamp.modifiedAt), isBirthTold)
            } catch  where error.code == .permissionDenied {
                // A disk that takes no times does not tell how fine they are.
                return (granularities[granularities.count - 1], isBirthTold)
            }
        }
    }

    /// The finest that explains what became of the fine time; the coarsest where none does.
    static func granularity(of kept: Timestamp) -> Int64 {
        func nanoseconds(_ time: Timestamp) -> Int64 { time.seconds * 1_000_000_000 + Int64(time.nanoseconds) }
        let (fine, kept) = (nanoseconds(fineTime), nanoseconds(kept))
        return granularities.first { fine - fine % $0 == kept } ?? granularities[granularities.count - 1]
    }
}
