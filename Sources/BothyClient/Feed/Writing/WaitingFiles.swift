import BothyContract
import GRDB

/// What a post waits for: pictures and videos that have not reached the server.
public struct WaitingFiles: Equatable, Sendable {
    public var count: Int
    public var bytes: Int64
    /// Why one of them has not gone up; nil where it has not been tried, or nothing stood in its way.
    public var failure: ClientFailure?

    public init(count: Int, bytes: Int64, failure: ClientFailure? = nil) {
        self.count = count
        self.bytes = bytes
        self.failure = failure
    }
}

extension WaitingFiles {
    /// - Returns: nil where everything that the post shows is on the server.
    static func of(_ operation: FeedOperation, in db: Database) throws -> WaitingFiles? {
        let waiting = try operation.files.compactMap { file in
            try OperationTable.of(file, in: db).first { $0.content != nil && $0.state != .acknowledged }
        }
        guard !waiting.isEmpty else { return nil }
        return WaitingFiles(
            count: waiting.count, bytes: waiting.reduce(0) { $0 + ($1.content?.size ?? 0) },
            failure: waiting.lazy.compactMap(\.lastError).first)
    }
}
