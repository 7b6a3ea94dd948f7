import BothyContract
import NIOCore
import NIOHTTP1

/// Many small contents in one answer.
extension ContentRemoteSource {
    /// Fetches revisions together, each told as soon as it is here whole, in their order.
    ///
    /// - Parameters:
    ///   - isPlain: whether the answer has to come uncompressed.
    ///   - arrived: gets the place of each among `revisionIds`, and how many bytes its content took on the way where these are fewer;
    ///     called on the connection's thread.
    /// - Throws: `ClientFailure` when the batch was refused as such, or its answer cannot be read or was cut: what was told by then
    ///   is here; ``AnswerCut`` where that is nothing, although an answer had begun; ``PackedAnswerInvalid``.
    package func fetchBatch(
        _ revisionIds: [String], isPlain: Bool = false, receiving: RateLimit,
        arrived: @escaping @Sendable (Int, ContentBatchReader.Item, Int64?) -> Void
    ) async throws {
        let sink = ContentBatchSink(revisionIds, receiving, arrived)
        var request = try WireRequest.json(
            .POST, "/v1/content/batch", ContentBatchRequest(revisionIds: revisionIds), priority: .transfer,
            retries: .none)
        if !isPlain { request.headers.add(name: "Accept-Encoding", value: ContentCodings.zstd) }
        do {
            _ = try await network.send(request, sink: sink)
            try sink.checkEnd()
        } catch let failure as ClientFailure where failure.code == .offline && sink.hasBegunInVain {
            throw AnswerCut(failure: failure, wasPacked: sink.isPacked)
        } catch let failure as ClientFailure where failure.code == .answerInvalid && sink.isPacked {
            throw PackedAnswerInvalid(failure: failure)
        }
    }

    /// An answer had begun, and ended within its first item: that may be the item's fault, and not the network's.
    package struct AnswerCut: Error {
        package let failure: ClientFailure
        /// Whether it came compressed, and may have ended before its first checksum.
        package let wasPacked: Bool
    }

    /// What came compressed cannot be what was packed: that may be the way's fault, which plain bytes would not have.
    package struct PackedAnswerInvalid: Error {
        package let failure: ClientFailure
    }
}

/// Hands on items as they come.
///
/// Unchecked because only the request's own event loop touches what varies, and the code that awaits the request looks
/// after it has ended.
private final class ContentBatchSink: BodySink, @unchecked Sendable {
    private var reader: ContentBatchReader
    /// Of an answer that comes compressed.
    private var packed: PackedAnswer?
    /// What was unpacked, and has its checksum still to come: 256 KiB as this project's servers make their frames, and never more than an
    /// answer may have.
    private var unchecked = ByteBuffer()
    /// Bytes that had theirs.
    private var checkedCount = 0
    private let most: Int
    private let limit: RateLimit
    private let arrived: @Sendable (Int, ContentBatchReader.Item, Int64?) -> Void
    private var isAccepted = false

    init(
        _ revisionIds: [String], _ limit: RateLimit,
        _ arrived: @escaping @Sendable (Int, ContentBatchReader.Item, Int64?) -> Void
    ) {
        reader = ContentBatchReader(revisionIds)
        most = revisionIds.count * (BatchHead.byteCount + UploadLimits.batchMetadata + UploadLimits.batchContent)
        self.limit = limit
        self.arrived = arrived
    }

    var hasBegunInVain: Bool { isAccepted && reader.count == 0 }

    var isPacked: Bool { packed != nil }

    func accepts(status: Int, headers: HTTPHeaders) throws -> Bool {
        isAccepted = status == 200
        if isAccepted, headers.first(name: "Content-Encoding")?.lowercased() == ContentCodings.zstd {
            packed = try PackedAnswer(upTo: most)
        }
        return isAccepted
    }

    func take(_ bytes: ByteBuffer) throws -> Double {
        if let packed { try read(bytes, of: packed) } else { try read(bytes) }
        return limit.take(bytes.readableBytes)
    }

    /// Also where something behind it cannot be unpacked, what came whole is here.
    private func read(_ bytes: ByteBuffer, of packed: PackedAnswer) throws {
        let end = Result { try packed.take(bytes) { unchecked.writeBytes($0) } }
        if let checked = unchecked.readSlice(length: packed.checkedCount - checkedCount), checked.readableBytes > 0 {
            checkedCount = packed.checkedCount
            if unchecked.readableBytes == 0 { unchecked = ByteBuffer() }
            try read(checked)
        }
        try end.get()
    }

    private func read(_ bytes: ByteBuffer) throws {
        reader.add(bytes)
        while true {
            let place = reader.count
            guard let item = try reader.next() else { return }
            arrived(place, item, carried(item.bytes.readableBytes))
        }
    }

    /// What so many bytes took on the way: their share of all that came so far.
    private func carried(_ count: Int) -> Int64? {
        packed.map { Int64(min(count, count * $0.packedCount / max(1, $0.count))) }
    }

    func checkEnd() throws {
        try packed?.checkEnd()
        try reader.checkEnd()
    }
}
