import BothyContract

/// Uploads as screens see them: begun, watched, and given up. What was begun and broken off resumes.
///
/// Every method throws `ClientFailure`.
public protocol UploadRepository: Sendable {
    /// Sends a file, and tells how far it is, last that it is there. The same file, by its folder, name, size and time,
    /// resumes. A listener that stops pauses it.
    ///
    /// - Parameter conflict: what happens when the name is taken.
    /// - Throws: `nameConflict`, `invalidName`, `parentGone`, `quotaExceeded`, `fileTooLarge`, `integrityMismatch`,
    ///   `sessionExpired`, and what reading the file throws.
    func upload(
        _ file: UploadFile, to folder: ItemID, conflict: ConflictPolicy
    ) -> AsyncThrowingStream<UploadStanding, any Error>

    /// What was begun from here and has not ended, the youngest first.
    func underWay() async throws -> [UploadStanding]

    /// What a file that is there holds now.
    ///
    /// - Throws: `notFound`, `notAFile`.
    func content(of item: ItemID) async throws -> HeldContentFacts

    /// Gives one up, and what came of it. One that is gone already is fine.
    func cancel(_ id: String) async throws
}

/// A file that a person chose, and how its bytes are read.
public struct UploadFile: Sendable {
    public var name: String
    /// Bytes.
    public var size: Int64
    /// The content's own time.
    public var modifiedAt: Timestamp
    /// As known to the program that chose it; else its name says it.
    public var mimeType: String?
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceChanged`.
    public var read: @Sendable (Range<Int64>) async throws -> [UInt8]

    public init(
        name: String, size: Int64, modifiedAt: Timestamp, mimeType: String? = nil,
        read: @escaping @Sendable (Range<Int64>) async throws -> [UInt8]
    ) {
        self.name = name
        self.size = size
        self.modifiedAt = modifiedAt
        self.mimeType = mimeType
        self.read = read
    }
}

/// How far an upload is.
public struct UploadStanding: Equatable, Sendable, Identifiable {
    public var id: String
    public var folder: ItemID
    public var name: String
    /// Bytes of the whole file.
    public var size: Int64
    /// Bytes of each chunk but the last.
    public var chunkSize: Int64
    /// The chunks that came, ascending.
    public var received: [ChunkRun]
    /// What it led to; nil until it is there.
    public var item: FolderItem?

    public init(
        id: String, folder: ItemID, name: String, size: Int64, chunkSize: Int64, received: [ChunkRun],
        item: FolderItem? = nil
    ) {
        self.id = id
        self.folder = folder
        self.name = name
        self.size = size
        self.chunkSize = chunkSize
        self.received = received
        self.item = item
    }

    /// Bytes that came.
    public var receivedBytes: Int64 {
        item == nil
            ? received.reduce(0) { $0 + min(size, Int64($1.last + 1) * chunkSize) - Int64($1.first) * chunkSize } : size
    }

    /// The chunks that have to come yet, ascending.
    public var missing: [Int] {
        guard item == nil else { return [] }
        let there = Set(received.flatMap { $0.first...$0.last })
        return (0..<Int((size + chunkSize - 1) / chunkSize)).filter { !there.contains($0) }
    }
}
