/// The bounds of an upload, in bytes unless said otherwise.
public enum UploadLimits {
    /// What a client takes that has no wish of its own.
    public static let defaultChunkSize: Int64 = 4 << 20
    /// Of a fixed plan.
    public static let chunkSizes: ClosedRange<Int64> = (256 << 10)...(16 << 20)
    /// A named block may be as small as a byte: the last one of a file often is small.
    public static let blockSizes: ClosedRange<Int64> = 1...(16 << 20)
    /// Of one file: 10 GiB.
    public static let maximumFileSize: Int64 = 10 << 30
    /// `uploadType=media` and `multipart`.
    public static let simpleUploadLimit: Int64 = 5 << 20
    /// Files of one `POST /v1/upload/batch`, and of one `POST /v1/content/batch`.
    public static let batchItems = 256
    /// Content of one file of a batch, either way: what is written together with others, and synced once.
    public static let batchContent = 128 << 10
    /// Metadata of one file of a batch, either way.
    public static let batchMetadata = 16 << 10
    /// The whole body of a batch.
    public static let batchBody = 8 << 20
    /// Blocks in one plan: 10 GiB of 8 KiB fragments.
    public static let maximumChunks = 1_310_720
    /// Blocks named in one request: 64 MiB in fragments of 8 KiB; decoding and writing them keeps the others waiting for 0.1 s.
    public static let maximumBlocksInRequest = 8_192
    /// Bytes that one `PUT …/chunk` may carry: several whole chunks.
    public static let maximumRangeBody: Int64 = 64 << 20
    /// Bytes that one patch makes: they are put together in memory.
    public static let maximumPatchTarget: Int64 = 4 << 20
    /// Bytes of a revision that one patch makes whole: what went up in one request has no parts that could be asked for.
    public static let maximumWholePatch = simpleUploadLimit
    /// Bytes of the body of a patch: one that is longer than what it makes is none.
    public static let maximumPatchBody = 4 << 20
    /// Copies and new pieces of one patch: each copy is a read of its own.
    public static let maximumPatchSteps = 4_096
    /// Bytes of the blocks that a patch from a device copies from, each counted as often as it has to be read: one that is compressed is unpacked whole.
    public static let maximumPatchReach = 64 << 20
    /// Bytes of the blocks that a patch for a device is made against: they are read into memory.
    public static let maximumPatchSource: Int64 = 8 << 20
    /// Blocks that one request for a patch names as wanted, and as there.
    public static let maximumPatchBlocks = 1_024
    /// Open sessions of one account.
    public static let maximumOpenSessions = 1_000
    /// Chunks in the plans of all open sessions of one account: two of the longest plans. Each is a row of the database, which none of
    /// the account's quota pays for until its bytes come.
    public static let maximumPlannedChunks = 2 * maximumChunks
    /// Seconds from the last activity to expiry.
    public static let sessionLifetime: Int64 = 24 * 3600
}
