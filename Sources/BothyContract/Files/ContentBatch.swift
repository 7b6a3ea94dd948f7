/// Asks for many small contents in one answer: `POST /v1/content/batch`.
///
/// The answer is one item for each, in their order: a ``BatchHead``, a ``ContentBatchOutcome``, and the content. An answer that
/// is cut tells all of what came whole; the rest is asked for again.
public struct ContentBatchRequest: Codable, Equatable, Sendable {
    /// At most ``UploadLimits/batchItems``, of the caller's own drive; one may be named twice.
    public var revisionIds: [String]

    public init(revisionIds: [String]) { self.revisionIds = revisionIds }
}

/// What became of one item of a batch: what a request of its own would have been answered.
public struct ContentBatchOutcome: Codable, Equatable, Sendable {
    /// As it was asked for.
    public var revisionId: String
    /// 200, or the problem's.
    public var status: Int
    /// What the bytes behind this are; this or `problem`.
    public var content: BatchedContent?
    /// Why there are none.
    public var problem: Problem?

    public init(revisionId: String, content: BatchedContent) {
        self.revisionId = revisionId
        self.status = 200
        self.content = content
    }

    public init(revisionId: String, problem: Problem) {
        self.revisionId = revisionId
        self.status = problem.status
        self.problem = problem
    }
}

/// What a device that fetches a revision along with others needs to know to put it in place.
public struct BatchedContent: Codable, Equatable, Sendable {
    /// Bytes: as many as come.
    public var size: Int64
    /// SHA-256 of what comes.
    public var checksum: ContentHash
    /// Of the file, where the revision is its head.
    public var modifiedAt: Timestamp
    /// Of the file.
    public var executable: Bool

    public init(size: Int64, checksum: ContentHash, modifiedAt: Timestamp, executable: Bool) {
        self.size = size
        self.checksum = checksum
        self.modifiedAt = modifiedAt
        self.executable = executable
    }
}
