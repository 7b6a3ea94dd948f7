import BothySync

/// What `bothy verify` found so far, in numbers.
struct VerifyTally: Equatable, Sendable {
    /// Files that were judged, and their bytes.
    var files = 0
    var bytes: Int64 = 0
    var damaged = 0
    var unreadable = 0
    var changed = 0
    var missing = 0
    /// Contents that are kept here, and of which no hash is known here.
    var unknown = 0

    /// - Parameter isOwnCopy: what the home keeps for itself comes and goes, and that is nobody's edit.
    mutating func count(_ verdict: FileVerdict, bytes: Int64, isOwnCopy: Bool = false) {
        switch verdict {
        case .whole, .damaged:
            files += 1
            self.bytes += bytes
            if case .damaged = verdict { damaged += 1 }
        case .changed: changed += isOwnCopy ? 0 : 1
        case .missing: missing += isOwnCopy ? 0 : 1
        case .unreadable: unreadable += 1
        }
    }

    var lines: [String] {
        var lines = [String]()
        if self == VerifyTally() {
            lines.append("There is nothing to verify.")
        } else if files == 0 {
            lines.append("No file was verified.")
        } else {
            let were =
                files == 1 ? "1 file, \(ByteText.text(bytes)), was" : "\(files) files, \(ByteText.text(bytes)), were"
            let end = damaged > 0 ? "." : files == 1 ? ": it is intact." : ": all are intact."
            lines.append("\(were) verified by SHA-256\(end)")
        }
        if changed > 0 {
            lines.append(
                changed == 1
                    ? "1 has changed since the last sync, and was not checked."
                    : "\(changed) have changed since the last sync, and were not checked.")
        }
        if missing > 0 { lines.append("\(missing) no longer \(missing == 1 ? "exists" : "exist").") }
        if unknown > 0 {
            let what = unknown == 1 ? "1 offline copy was" : "\(unknown) offline copies were"
            lines.append("\(what) not checked: no SHA-256 is known for older versions and deleted files.")
        }
        return lines
    }

    /// What the command ends with; nil where all that was read is whole.
    var complaint: Complaint? {
        let remedy = "\(damaged + unreadable == 1 ? "Its entry" : "Each entry") above says what to do."
        if damaged > 0 {
            var message = damaged == 1 ? "1 file is damaged" : "\(damaged) files are damaged"
            if unreadable > 0 { message += ", and \(unreadable) could not be read" }
            return Complaint(.unhealthy, message + ".", remedy: remedy)
        }
        guard unreadable > 0 else { return nil }
        return Complaint(.localUnreadable, "\(unreadable) could not be read.", remedy: remedy, status: .partlyDone)
    }
}
