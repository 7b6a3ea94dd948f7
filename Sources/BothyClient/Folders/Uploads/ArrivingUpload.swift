import BothyContract

/// A file that a browser hands to this device, as far as it has come. It lies beside its bytes, so that it resumes after a
/// restart.
struct ArrivingUpload: Codable, Equatable, Sendable {
    var id: String
    /// A folder, as a screen names it.
    var folder: String
    var name: String
    /// Bytes.
    var size: Int64
    /// The content's own time.
    var modifiedAt: Timestamp
    var mimeType: String?
    var conflict: ConflictPolicy
    /// The chunks whose bytes are on the disk.
    var received = [ChunkRun]()

    init(_ offer: UploadOffer, id: String) {
        self.id = id
        folder = offer.folder.text
        name = offer.name
        size = offer.size
        modifiedAt = offer.modifiedAt
        mimeType = offer.mimeType
        conflict = offer.conflict
    }

    /// Bytes of each chunk but the last.
    static let chunkSize = UploadLimits.defaultChunkSize

    func standing(_ item: FolderItem? = nil) -> UploadStanding {
        UploadStanding(
            id: id, folder: ItemID(folder), name: name, size: size, chunkSize: Self.chunkSize, received: received,
            item: item)
    }

    /// The same file, asked about names no less than this one.
    func isOf(_ offer: UploadOffer) -> Bool {
        folder == offer.folder.text && name == offer.name && size == offer.size && modifiedAt == offer.modifiedAt
            && [.fail, offer.conflict].contains(conflict)
    }

    /// - Returns: nil for a chunk that the file does not have.
    func range(ofChunk index: Int) -> Range<Int64>? {
        let start = Int64(index) * Self.chunkSize
        return index >= 0 && start < size ? start..<min(start + Self.chunkSize, size) : nil
    }
}
