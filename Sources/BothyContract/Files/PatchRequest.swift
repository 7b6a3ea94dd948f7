/// `POST …/{revisionId}/patch`: what makes blocks of a revision out of others, which this device has.
public struct PatchRequest: Codable, Equatable, Sendable {
    /// Places of blocks of the revision, ascending: ``UploadLimits/maximumPatchTarget`` bytes together at the most. The patch makes
    /// them one after the other.
    public var wanted: [ChunkRun]
    /// Blocks that are here, ``UploadLimits/maximumPatchSource`` bytes together at the most. One after the other they are what the
    /// patch copies from; of those that the drive does not have it copies nothing.
    public var have: [BlockReference]

    public init(wanted: [ChunkRun], have: [BlockReference]) {
        self.wanted = wanted
        self.have = have
    }
}

extension PatchRequest {
    /// The type of a patch: one zstd frame with the steps that make bytes out of others.
    public static let patchMediaType = "application/vnd.bothy.patch"
}
