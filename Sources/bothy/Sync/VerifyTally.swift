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
            lines.append("Nothing is kept in step or kept here that could be read.")
        } else if files == 0 {
            lines.append("No file was held against its SHA-256.")
        } else {
            let were =
                files == 1 ? "1 file, \(ByteText.text(bytes)), was" : "\(files) files, \(ByteText.text(bytes)), were"
            let end = damaged > 0 ? "." : files == 1 ? ": it is whole." : ": all are whole."
            lines.append("\(were) read and held against \(files == 1 ? "its" : "their") SHA-256\(end)")
        }
        if changed > 0 {
            lines.append(
                changed == 1
                    ? "1 has changed since both sides agreed on it, and was not judged."
                    : "\(changed) have changed since both sides agreed on them, and were not judged.")
        }
        if missing > 0 { lines.append("\(missing) \(missing == 1 ? "is" : "are") not there any more.") }
        if unknown > 0 {
            let what = unknown == 1 ? "1 that is kept here was" : "\(unknown) that are kept here were"
            lines.append("\(what) not judged: no SHA-256 is known here of older versions, and of files that are gone.")
        }
        return lines
    }

    /// What the command ends with; nil where all that was read is whole.
    var complaint: Complaint? {
        let remedy = "What to do about \(damaged + unreadable == 1 ? "it" : "each") is said with its name above."
        if damaged > 0 {
            var message = damaged == 1 ? "1 file is damaged" : "\(damaged) files are damaged"
            if unreadable > 0 { message += ", and \(unreadable) could not be read" }
            return Complaint(.unhealthy, message + ".", remedy: remedy)
        }
        guard unreadable > 0 else { return nil }
        return Complaint(.localUnreadable, "\(unreadable) could not be read.", remedy: remedy, status: .partlyDone)
    }
}
