import BothyContract

/// A change as `bothy watch` tells of it.
struct ChangeDocument: Encodable {
    enum Event: String, Encodable {
        case added, changed, trashed, removed
    }

    var event: Event
    var id: String
    /// Where it is; for what is removed, where it was seen last. Absent when that is not known.
    var path: String?
    /// Absent for what is removed.
    var file: FileDocument?

    /// - Returns: nil for changes that are no file's own.
    init?(_ change: Change, path: String?) {
        guard change.kind == .file else { return nil }
        id = change.id
        self.path = path
        if change.removed {
            event = .removed
        } else if let file = change.file {
            event = file.trashed ? .trashed : file.version == 1 ? .added : .changed
            self.file = FileDocument(file, path: path)
        } else {
            event = .changed
        }
    }

    /// Of one width, so that paths line up.
    var words: String { TerminalText.padded(event.rawValue, to: 7) }
}
