/// `POST …/{revisionId}/patch`: what makes blocks of a revision out of others, which this device has; or all of it, out of a file that it has.
public struct PatchRequest: Codable, Equatable, Sendable {
    /// Places of blocks of the revision, ascending: ``UploadLimits/maximumPatchTarget`` bytes together at the most. The patch makes
    /// them one after the other. None where there is a ``base``.
    public var wanted: [ChunkRun]
    /// Blocks that are here, ``UploadLimits/maximumPatchSource`` bytes together at the most. One after the other they are what the
    /// patch copies from; of those that the drive does not have it copies nothing.
    public var have: [BlockReference]
    /// SHA-256 of a file that is here whole and that the drive has had, too: the patch copies from that, and makes all of the revision. Of
    /// ``UploadLimits/maximumPatchSource`` bytes at the most, for a revision of ``UploadLimits/maximumWholePatch``.
    public var base: ContentHash?

    public init(wanted: [ChunkRun], have: [BlockReference]) {
        self.wanted = wanted
        self.have = have
    }

    /// For all of a revision.
    public init(base: ContentHash) {
        self.init(wanted: [], have: [])
        self.base = base
    }
}

extension PatchRequest {
    /// The type of a patch: one zstd frame with the steps that make bytes out of others.
    public static let patchMediaType = "application/vnd.bothy.patch"
}
