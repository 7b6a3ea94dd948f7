/// Header names that are ours, or that no library names for us.
public enum HeaderNames {
    /// The place of a mutation's change in the drive's log.
    public static let cursor = "Bothy-Cursor"
    /// The place right before it, where the answer's file is all that changed between the two.
    public static let cursorBefore = "Bothy-Cursor-Before"
    /// The request id, for requests whose body names none.
    public static let idempotencyKey = "Idempotency-Key"
    /// `sha256=<hex>`.
    public static let chunkHash = "X-Chunk-Hash"
    /// RFC 9530: `sha-256=:<base64>:`.
    public static let contentDigest = "Content-Digest"
    /// What the items of a batch say of themselves, checked before they act: ``HeadChecksums``.
    public static let batchHeads = "Bothy-Batch-Heads"
    /// RFC 9530, of the whole content, whatever range was asked for.
    public static let reprDigest = "Repr-Digest"
    /// RFC 3229: what a client takes that content is made for its way.
    public static let acceptManipulations = "A-IM"
    /// RFC 3229: what was made of it.
    public static let manipulations = "IM"
    /// HTML Living Standard §9.2.4: the last event that a client has of a stream that broke off.
    public static let lastEventId = "Last-Event-ID"
    /// nginx: `no` has it hand on an answer as it comes.
    public static let accelBuffering = "X-Accel-Buffering"
}
