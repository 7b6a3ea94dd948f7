import BothyContract

/// One state of a file's content, as a screen is told of it.
public struct RevisionItem: Equatable, Sendable, Identifiable {
    public var id: String
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// When the server got it.
    public var createdAt: Timestamp
    /// The name of the device that it came from; nil where that is not known any more.
    public var device: String?
    /// It is what the file holds now.
    public var isCurrent: Bool

    public init(
        id: String, mimeType: String, size: Int64, createdAt: Timestamp, device: String?, isCurrent: Bool
    ) {
        self.id = id
        self.mimeType = mimeType
        self.size = size
        self.createdAt = createdAt
        self.device = device
        self.isCurrent = isCurrent
    }
}

/// A page of a file's history, newest first.
public struct RevisionsPage: Equatable, Sendable {
    public var items: [RevisionItem]
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?

    public init(items: [RevisionItem], next: String?) {
        self.items = items
        self.next = next
    }
}

/// A file's history as screens look at it.
///
/// Every method throws `ClientFailure`; `notFound` and `notAFile` where there is no such history.
public protocol FileRevisions: Sendable {
    func page(of file: ItemID, after place: String?, limit: Int) async throws -> RevisionsPage

    func revision(_ id: String, of file: ItemID) async throws -> RevisionItem

    /// The beginning of what the file was then.
    func beginning(of revision: String, of file: ItemID, most bytes: Int) async throws -> [UInt8]

    /// Makes the file what it was then, as a new version: nothing is lost.
    func restore(_ revision: String, of file: ItemID) async throws

    func content(of revision: String, of file: ItemID) async throws -> ContentPlace
}
