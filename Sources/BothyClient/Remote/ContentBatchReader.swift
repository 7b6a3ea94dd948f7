import BothyContract
import Foundation
import NIOCore

/// Takes the answer to a batch apart as it comes, wherever it is cut, and believes nothing that was not asked for. It holds one
/// item, and what came with its end.
package struct ContentBatchReader {
    package struct Item: Sendable {
        package var outcome: ContentBatchOutcome
        package var bytes: ByteBuffer
    }

    private let asked: [String]
    private var rest = ByteBuffer()
    /// Items that came whole.
    package private(set) var count = 0

    /// - Parameter asked: the revisions, in the order of the request.
    package init(_ asked: [String]) { self.asked = asked }

    /// What comes next of the answer.
    package mutating func add(_ bytes: ByteBuffer) {
        if rest.readableBytes == 0 {
            rest = bytes
        } else {
            rest.discardReadBytes()
            rest.writeImmutableBuffer(bytes)
        }
    }

    /// - Returns: the next item; nil when more is needed.
    /// - Throws: `answerInvalid` for what is no such answer.
    package mutating func next() throws(ClientFailure) -> Item? {
        guard let start = rest.getSlice(at: rest.readerIndex, length: BatchHead.byteCount),
            let head = BatchHead(bytes: start.readableBytesView)
        else { return nil }
        guard count < asked.count, head.metadataBytes <= UploadLimits.batchMetadata,
            head.contentBytes <= UploadLimits.batchContent
        else { throw Self.odd }
        var item = rest
        item.moveReaderIndex(forwardBy: BatchHead.byteCount)
        guard let metadata = item.readSlice(length: head.metadataBytes),
            let bytes = item.readSlice(length: head.contentBytes)
        else { return nil }
        rest = item
        // A slice would keep all that came with it for as long as the item waits for its place.
        let own = ByteBuffer(bytes: bytes.readableBytesView)
        guard let outcome = try? WireCoding.decode(ContentBatchOutcome.self, from: Data(metadata.readableBytesView)),
            outcome.revisionId == asked[count], outcome.content?.size ?? 0 == Int64(bytes.readableBytes)
        else { throw Self.odd }
        count += 1
        return Item(outcome: outcome, bytes: own)
    }

    /// - Throws: `offline` for an answer that ended before all had come.
    package func checkEnd() throws(ClientFailure) {
        guard count == asked.count, rest.readableBytes == 0 else {
            throw ClientFailure(.offline, "The connection was closed during the download.")
        }
    }

    private static let odd = ClientFailure(
        .answerInvalid, "The server's answer is about other files.")
}
