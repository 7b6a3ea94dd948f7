/// A problem document of RFC 9457, with the fields that let a client act.
public struct Problem: Error, Codable, Equatable, Sendable {
    /// The `Content-Type` of every refusal.
    public static let mediaType = "application/problem+json"

    /// See ``ProblemCode/type``.
    public var type: String
    /// See ``ProblemCode/title``.
    public var title: String
    /// The HTTP status; see ``ProblemCode/status``.
    public var status: Int
    /// What a client acts on.
    public var code: OpenWord<ProblemCode>
    /// What happened this time, in a sentence for a person.
    public var detail: String

    /// Seconds to wait before trying again; also in `Retry-After`.
    public var retryAfter: Int?
    /// `missing_chunks`: runs of chunk indexes that have not been received. `patch_invalid`: which of the blocks that a client has are
    /// not in its drive.
    public var missing: [ChunkRun]?
    /// `revision_conflict`: the head as it is now.
    public var currentRevisionId: String?
    /// `version_mismatch`, `post_changed`: the version as it is now.
    public var currentVersion: Int64?
    /// `name_conflict`: the file that has the name.
    public var conflictingFileId: String?
    /// `range_off_plan`: the plan's bounds.
    public var plan: PlanBounds?
    /// `parameters_differ`: the version of the parameters that the drive's files are cut by.
    public var blockParameters: Int?
    /// `hash_mismatch`, `chunk_corrupt`: what the server computed.
    public var computedSha256: ContentHash?
    /// `quota_exceeded`: bytes that are still free.
    public var free: Int64?
    /// `moment_forgotten`: the earliest moment that is remembered.
    public var earliest: Timestamp?
    /// `restore_running`: the one that runs.
    public var restoreId: String?
    /// `draft_posted`: the post that was made of it.
    public var postId: Int64?
    /// `body_too_large`, `file_too_large`: the most that is taken, in bytes. `too_many_drafts`: the most drafts.
    public var limit: Int64?

    public init(_ code: ProblemCode, _ detail: String) {
        self.type = code.type
        self.title = code.title
        self.status = code.status
        self.code = OpenWord(code)
        self.detail = detail
    }

    /// The same problem with more to act on.
    public func with(_ change: (inout Problem) -> Void) -> Problem {
        var copy = self
        change(&copy)
        return copy
    }
}

/// Where the chunks of a plan lie, for a client whose range is off it.
public struct PlanBounds: Codable, Equatable, Sendable {
    /// Bytes; absent while an open plan does not know.
    public var size: Int64?
    /// Bytes of each chunk but the last; absent for named blocks.
    public var chunkSize: Int64?
    /// Of the plan as it is; an open one may grow.
    public var totalChunks: Int

    public init(size: Int64?, chunkSize: Int64?, totalChunks: Int) {
        self.size = size
        self.chunkSize = chunkSize
        self.totalChunks = totalChunks
    }
}
