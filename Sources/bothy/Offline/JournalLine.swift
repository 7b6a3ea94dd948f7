import BothyClient
import BothyContract

/// An operation of any domain as `bothy journal` tells it.
struct JournalLine {
    private let operation: any DomainOperation
    let deed: String
    let document: OperationDocument

    private init(_ placed: PlacedOperation) {
        operation = placed.operation
        deed = OperationWords(placed).deed
        document = OperationDocument(placed)
    }

    private init(_ post: FeedOperation) {
        operation = post
        deed = FeedOperationWords.deed(post)
        document = OperationDocument(post, path: nil)
    }

    /// In their order.
    static func lines(of operations: [any DomainOperation], in home: DeviceHome) async throws -> [JournalLine] {
        let placed = try await home.replica.placed(operations.compactMap { $0 as? JournalOperation })
        let posts = operations.compactMap { $0 as? FeedOperation }
        return (placed.map { JournalLine($0) } + posts.map { JournalLine($0) }).sorted { $0.id < $1.id }
    }

    var id: Int64 { operation.id }
    var standing: String { operation.standingWords }
    var remedy: String? { operation.remedyWords }
    var createdAt: Timestamp { operation.createdAt }
}
