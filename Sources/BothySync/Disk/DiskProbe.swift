import BothyClient

/// Finds out what a bound folder's disk makes of names and attributes, by trying it in the private folder. It leaves nothing there.
package enum DiskProbe {
    private static let prefix = "bothy-probe-"
    /// Bytes of the longest names that disks hold: most, and eCryptfs.
    private static let longestNames = [255, 143]

    /// - Throws: `ClientFailure` where the private folder is not there or cannot be written.
    package static func traits(of disk: any FolderDisk) throws(ClientFailure) -> DiskTraits {
        var traits = DiskTraits()
        traits.tellsCaseApart = try !finds("case", as: "CASE", on: disk)
        traits.spelling = try spelling(of: disk)
        traits.followsWindowsRules = try !holds("a:b", on: disk)
        for length in longestNames {
            traits.longestName = length
            if try holds(String(repeating: "x", count: length - prefix.utf8.count), on: disk) { break }
        }
        traits.keepsExecutable = try keepsExecutable(disk)
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

    /// A disk says in many ways that it takes no such name.
    private static func holds(_ name: String, on disk: any FolderDisk) throws(ClientFailure) -> Bool {
        do {
            return try with(name, on: disk) { name throws(ClientFailure) in
                try disk.facts(disk.stagedPlace(name)) != nil
            }
        } catch  where error.code != .diskFull {
            return false
        }
    }

    private static func keepsExecutable(_ disk: any FolderDisk) throws(ClientFailure) -> Bool {
        try with("mode", on: disk) { name throws(ClientFailure) in
            let place = disk.stagedPlace(name)
            for executable in [true, false] {
                guard let facts = try disk.facts(place) else { return false }
                do {
                    let now = try disk.touch(
                        place, modifiedAt: facts.stamp.modifiedAt, executable: executable, expecting: facts)
                    if now.executable != executable { return false }
                } catch {
                    // FAT refuses what it cannot keep.
                    return false
                }
            }
            return true
        }
    }
}
