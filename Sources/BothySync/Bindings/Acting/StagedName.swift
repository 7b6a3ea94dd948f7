import BothyContract

/// The name that something has in the staging folder: the file of the server's that it is a version of, and which.
struct StagedName {
    /// Of the file.
    var id: String
    var revision: String

    private static let merged = "merge-"

    init(_ revision: String, of id: String) {
        self.id = id
        self.revision = revision
    }

    init(_ theirs: RemoteFingerprint) { self.init(theirs.revisionId ?? "empty", of: theirs.id) }

    /// Reads one back; nil for what is none. Both are UUIDs, except for the revision of what is empty.
    init?(_ name: String) {
        let rest = name.hasPrefix(Self.merged) ? name.dropFirst(Self.merged.count) : name[...]
        let bytes = Array(rest.utf8)
        guard bytes.count > Self.idLength + 1, bytes[Self.idLength] == UInt8(ascii: "-") else { return nil }
        self.init(String(rest.dropFirst(Self.idLength + 1)), of: String(rest.prefix(Self.idLength)))
    }

    private static let idLength = 36

    var text: String { "\(id)-\(revision)" }
    /// What a merge of it is staged under.
    var ofMerge: String { "\(Self.merged)\(text)" }
}
