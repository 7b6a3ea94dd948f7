import BothyContent
import BothyContract
import NIOCore

/// Takes a batch's body apart as it comes, wherever it is cut. It holds one item at most.
struct BatchReader {
    struct Item {
        var metadata: ByteBuffer
        /// Nil for content that is more than an item may have, and was passed over.
        var content: ByteBuffer?
    }

    /// What each head has to be; nil where nobody told.
    private let heads: HeadChecksums?
    private var isChecked = false
    private var start = ByteBuffer()
    private var head: BatchHead?
    private var metadata = ByteBuffer()
    private var content = ByteBuffer()
    /// Bytes still to be passed over.
    private var excess = 0
    /// Items that came whole.
    private(set) var count = 0

    init(_ heads: HeadChecksums? = nil) { self.heads = heads }

    /// Takes off `bytes` what it has use for.
    ///
    /// - Returns: the next item; nil when all of `bytes` is taken and more is needed.
    /// - Throws: `malformed_request`, `too_many_items`, `digest_mismatch` before anything of the item is handed out.
    mutating func next(from bytes: inout ByteBuffer) throws(Problem) -> Item? {
        if head == nil {
            start.fill(upTo: BatchHead.byteCount, from: &bytes)
            guard let head = BatchHead(bytes: start.readableBytesView) else { return nil }
            try begin(head)
        }
        guard let head else { return nil }
        metadata.fill(upTo: head.metadataBytes, from: &bytes)
        guard metadata.readableBytes == head.metadataBytes else { return nil }
        if !isChecked { try check(head) }
        let passed = min(excess, bytes.readableBytes)
        bytes.moveReaderIndex(forwardBy: passed)
        excess -= passed
        if head.contentBytes <= UploadLimits.batchContent { content.fill(upTo: head.contentBytes, from: &bytes) }
        let isWhole = content.readableBytes == head.contentBytes || head.contentBytes > UploadLimits.batchContent
        guard excess == 0, isWhole else { return nil }
        return finish(head)
    }

    /// - Throws: `malformed_request` for a body that ended within an item, or that had none; `digest_mismatch` for one with fewer than were
    ///   told of.
    func checkEnd() throws(Problem) {
        if let heads, heads.values.count != count { throw BodyDigest.changed }
        guard head == nil, start.readableBytes == 0 else {
            throw Problem(.malformedRequest, "The body ends within item \(count).")
        }
        guard count > 0 else { throw Problem(.malformedRequest, "The batch has no item.") }
    }

    private mutating func begin(_ head: BatchHead) throws(Problem) {
        // A length that was changed on the way makes another item of whatever follows.
        if let heads, count >= heads.values.count { throw BodyDigest.changed }
        guard count < UploadLimits.batchItems else {
            throw Problem(.tooManyItems, "A batch has \(UploadLimits.batchItems) items at most.")
        }
        guard head.metadataBytes <= UploadLimits.batchMetadata else {
            if heads != nil { throw BodyDigest.changed }
            throw Problem(
                .malformedRequest,
                "Item \(count) says to have \(head.metadataBytes) bytes of metadata; "
                    + "\(UploadLimits.batchMetadata) are the most.")
        }
        self.head = head
        excess = head.contentBytes > UploadLimits.batchContent ? head.contentBytes : 0
        metadata.reserveCapacity(head.metadataBytes)
        content.reserveCapacity(excess == 0 ? head.contentBytes : 0)
    }

    private mutating func check(_ head: BatchHead) throws(Problem) {
        if let heads, metadata.withUnsafeReadableBytes({ head.checksum(of: $0) }) != heads.values[count] {
            throw BodyDigest.changed
        }
        isChecked = true
    }

    private mutating func finish(_ head: BatchHead) -> Item {
        let isTooLarge = head.contentBytes > UploadLimits.batchContent
        let item = Item(metadata: metadata, content: isTooLarge ? nil : content)
        let items = count + 1
        self = BatchReader(heads)
        count = items
        return item
    }
}

extension ByteBuffer {
    /// Takes as much off `bytes` as there is, and as makes this one `count` bytes long.
    fileprivate mutating func fill(upTo count: Int, from bytes: inout ByteBuffer) {
        let wanted = min(count - readableBytes, bytes.readableBytes)
        if wanted > 0, var part = bytes.readSlice(length: wanted) { writeBuffer(&part) }
    }
}
