import BothyContract

/// «report (kitchen's conflict 2026-11-20).pdf».
enum ConflictName {
    static func of(_ name: String, from device: String, on day: Timestamp) -> String {
        let (stem, suffix) = FileName.split(name)
        let place = device.filter { $0 != "/" && !$0.isNewline }
        let tail = " (\(place)'s conflict \(day.rfc3339.prefix(10)))\(suffix)"
        var kept = stem
        while kept.utf8.count + tail.utf8.count > FileName.maximumBytes, !kept.isEmpty { kept.removeLast() }
        return kept + tail
    }
}
