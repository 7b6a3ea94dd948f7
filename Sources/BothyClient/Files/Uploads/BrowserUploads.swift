import BothyContract
import NIOCore

/// Uploads whose bytes a browser moves, chunk by chunk: what its requests come to.
///
/// Every method throws `ClientFailure`.
public protocol BrowserUploads: UploadRepository {
    /// Begins an upload, or tells how the same file stands that was begun before.
    func begin(_ offer: UploadOffer) async throws -> UploadStanding

    /// - Throws: `notFound`, `sessionExpired`.
    func standing(of id: String) async throws -> UploadStanding

    /// Takes one chunk; the last one that was missing makes the file.
    ///
    /// - Parameters:
    ///   - sha256: of the chunk, where the browser could tell.
    ///   - length: bytes of the body, where the request says so.
    /// - Returns: what the upload led to; nil while something is missing.
    func receive<Body: AsyncSequence & Sendable>(
        chunk index: Int, of id: String, sha256: ContentHash?, length: Int64?, from body: Body
    ) async throws -> FolderItem? where Body.Element == ByteBuffer

    /// Makes the file of an upload whose chunks are all there, whose name was taken before.
    func finish(_ id: String, conflict: ConflictPolicy) async throws -> FolderItem

    /// Takes many small files in one body: ``BatchHead`` says how they lie in it.
    ///
    /// - Returns: what became of each, in their order.
    func receiveBatch<Body: AsyncSequence & Sendable>(
        length: Int?, from body: Body
    ) async throws -> [Result<ItemID, ClientFailure>] where Body.Element == ByteBuffer

    /// The folder of that name, made where there is none.
    ///
    /// - Throws: `nameConflict` where a file has the name.
    func folder(named name: String, in folder: ItemID) async throws -> ItemID
}

/// A file that a browser wants to upload, as far as it is known before a byte came.
public struct UploadOffer: Equatable, Sendable {
    public var folder: ItemID
    public var name: String
    /// Bytes.
    public var size: Int64
    /// The content's own time: with folder, name and size what an upload is known again by.
    public var modifiedAt: Timestamp
    public var mimeType: String?
    public var conflict: ConflictPolicy

    public init(
        folder: ItemID, name: String, size: Int64, modifiedAt: Timestamp, mimeType: String?, conflict: ConflictPolicy
    ) {
        self.folder = folder
        self.name = name
        self.size = size
        self.modifiedAt = modifiedAt
        self.mimeType = mimeType
        self.conflict = conflict
    }
}
