import BothyContract
import NIOCore
import NIOHTTP1

/// Many small contents in one answer.
extension ContentRemoteSource {
    /// Fetches revisions together, each told as soon as it is here whole, in their order.
    ///
    /// - Parameter arrived: gets the place of each among `revisionIds`; called on the connection's thread.
    /// - Throws: `ClientFailure` when the batch was refused as such, or its answer cannot be read or was cut: what was told by then
    ///   is here; ``AnswerCut`` where that is nothing, although an answer had begun.
    package func fetchBatch(
        _ revisionIds: [String], receiving: RateLimit,
        arrived: @escaping @Sendable (Int, ContentBatchReader.Item) -> Void
    ) async throws {
        let sink = ContentBatchSink(revisionIds, receiving, arrived)
        let request = try WireRequest.json(
            .POST, "/v1/content/batch", ContentBatchRequest(revisionIds: revisionIds), priority: .transfer,
            retries: .none)
        do {
            _ = try await network.send(request, sink: sink)
            try sink.checkEnd()
        } catch let failure as ClientFailure where failure.code == .offline && sink.hasBegunInVain {
            throw AnswerCut(failure: failure)
        }
    }

    /// An answer had begun, and ended within its first item: that may be the item's fault, and not the network's.
    package struct AnswerCut: Error {
        package let failure: ClientFailure
    }
}

/// Hands on items as they come.
///
/// Unchecked because only the request's own event loop touches what varies, and whoever awaits the request looks
/// after it has ended.
private final class ContentBatchSink: BodySink, @unchecked Sendable {
    private var reader: ContentBatchReader
    private let limit: RateLimit
    private let arrived: @Sendable (Int, ContentBatchReader.Item) -> Void
    private var isAccepted = false

    init(
        _ revisionIds: [String], _ limit: RateLimit,
        _ arrived: @escaping @Sendable (Int, ContentBatchReader.Item) -> Void
    ) {
        reader = ContentBatchReader(revisionIds)
        self.limit = limit
        self.arrived = arrived
    }

    var hasBegunInVain: Bool { isAccepted && reader.count == 0 }

    func accepts(status: Int, headers: HTTPHeaders) -> Bool {
        isAccepted = status == 200
        return isAccepted
    }

    func take(_ bytes: ByteBuffer) throws -> Double {
        reader.add(bytes)
        while true {
            let place = reader.count
            guard let item = try reader.next() else { return limit.take(bytes.readableBytes) }
            arrived(place, item)
        }
    }

    func checkEnd() throws { try reader.checkEnd() }
}
