import BothyClient
import BothyContract
import NIOCore

extension FuzzTarget {
    /// The answer to `POST /v1/content/batch`, as a device reads it.
    static let contentBatches = FuzzTarget(
        "content-batches",
        words: [
            "{", "}", "\"revisionId\":\"a\"", "\"content\":{\"size\":4", "\"status\":200", "\"problem\":",
            "\0\0\0\u{4}\0\0\0\u{4}",
        ]
    ) { input in
        let whole = FuzzTarget.contents(input, inPiecesOf: input.count + 1)
        // However it is cut, it is the same answer.
        let piece = 1 + Int(input.first ?? 0) % 37
        try require(
            FuzzTarget.contents(input, inPiecesOf: piece) == whole, "another answer in pieces of \(piece) bytes")
        try require(whole.items.count <= asked.count, "more than was asked for")
        for (item, id) in zip(whole.items, asked) {
            try require(item.id == id, "another revision than was asked for")
            try require(item.size.map { $0 == item.bytes.count } ?? item.bytes.isEmpty, "other bytes than it says")
        }
        try require(whole.items.reduce(0) { $0 + $1.bytes.count } <= input.count, "items are more than came")
    }

    private static let asked = ["a", "b", "c", "a"]

    private struct Answer: Equatable {
        struct Item: Equatable {
            var id: String
            var size: Int?
            var bytes: [UInt8]
        }

        var items: [Item] = []
        var refusal: FailureCode?
    }

    private static func contents(_ input: [UInt8], inPiecesOf piece: Int) -> Answer {
        var answer = Answer()
        var reader = ContentBatchReader(asked)
        do throws(ClientFailure) {
            for start in stride(from: 0, to: input.count, by: piece) {
                reader.add(ByteBuffer(bytes: input[start..<min(start + piece, input.count)]))
                while let item = try reader.next() {
                    answer.items.append(
                        Answer.Item(
                            id: item.outcome.revisionId, size: (item.outcome.content?.size).map(Int.init),
                            bytes: Array(item.bytes.readableBytesView)))
                }
            }
            try reader.checkEnd()
        } catch {
            answer.refusal = error.code
        }
        return answer
    }
}
