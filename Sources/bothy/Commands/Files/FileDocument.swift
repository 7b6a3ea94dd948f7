import BothyContract

/// A file or folder of the server as commands print it with `--json`. No signed address is in it.
struct FileDocument: Encodable {
    enum Kind: String, Encodable {
        case file, folder
    }

    /// From the root; absent where it is not known, as in the trash.
    var path: String?
    var id: String
    var name: String
    var kind: Kind
    /// Bytes.
    var size: Int64
    var mimeType: String
    var sha256: ContentHash?
    var revisionId: String?
    var version: Int64
    var createdAt: Timestamp
    var modifiedAt: Timestamp
    var updatedAt: Timestamp
    var starred: Bool
    var hidden: Bool
    var executable: Bool
    var trashed: Bool

    init(_ file: File, path: String?) {
        self.path = path
        id = file.id
        name = file.name
        kind = file.isFolder ? .folder : .file
        size = file.size
        mimeType = file.mimeType
        sha256 = file.checksum
        revisionId = file.headRevisionId
        version = file.version
        createdAt = file.createdAt
        modifiedAt = file.modifiedAt
        updatedAt = file.updatedAt
        starred = file.starred
        hidden = file.hidden
        executable = file.executable
        trashed = file.trashed
    }
}
