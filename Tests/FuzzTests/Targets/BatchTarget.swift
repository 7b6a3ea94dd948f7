import BothyContract
import NIOCore

@testable import BothyServer

extension FuzzTarget {
    /// The body of `POST /v1/upload/batch`, and the metadata of its items.
    static let batchBodies = FuzzTarget(
        "batch-bodies",
        words: ["{", "}", "\"name\":", "\"requestId\":", "\"conflict\":\"fork\"", "\0\0\0\u{4}\0\0\0\u{4}"]
    ) { input in
        let whole = FuzzTarget.read(input, inPiecesOf: input.count + 1)
        // However it is cut, it is the same batch.
        let piece = 1 + Int(input.first ?? 0) % 37
        try require(FuzzTarget.read(input, inPiecesOf: piece) == whole, "another batch in pieces of \(piece) bytes")
        let bytes = whole.items.reduce(0) { $0 + $1.count }
        try require(bytes + 8 * whole.items.count <= input.count, "items are more than came")
        try require(whole.items.count <= UploadLimits.batchItems, "more items than there may be")
    }

    private struct Batch: Equatable {
        /// Metadata and content, one behind the other.
        var items: [[UInt8]] = []
        var refusal: OpenWord<ProblemCode>?
    }

    private static func read(_ input: [UInt8], inPiecesOf piece: Int) -> Batch {
        var batch = Batch()
        var reader = BatchReader()
        do throws(Problem) {
            for start in stride(from: 0, to: input.count, by: piece) {
                var bytes = ByteBuffer(bytes: input[start..<min(start + piece, input.count)])
                while let item = try reader.next(from: &bytes) {
                    batch.items.append(
                        Array(item.metadata.readableBytesView) + Array(item.content?.readableBytesView ?? .init()))
                }
            }
            try reader.checkEnd()
        } catch {
            batch.refusal = error.code
        }
        return batch
    }
}
