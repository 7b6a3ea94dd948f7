/// What came of an operation that was sent.
package enum Settlement: Sendable {
    /// The server has done it.
    case acknowledged(any DomainOperation, any DomainAnswer)
    /// It is to be written down with what keeps it from being done.
    case failed(any DomainOperation)
    /// The server will not do it, and what it showed is taken back.
    case refused(any DomainOperation)

    package var operation: any DomainOperation {
        switch self {
        case .acknowledged(let operation, _), .failed(let operation), .refused(let operation): operation
        }
    }
}

extension ReplicaStore {
    /// Writes down what came of operations, in the order in which that was heard, by one transaction.
    ///
    /// - Returns: what happened to the journal with each, in their order.
    func settle(
        _ settlements: [Settlement], _ domains: [JournalDomainName: any JournalDomain]
    ) async throws -> [Acknowledgement] {
        guard !settlements.isEmpty else { return [] }
        return try await transact { db in
            try settlements.map { settlement -> Acknowledgement in
                switch settlement {
                case .acknowledged(let operation, let answer):
                    guard let domain = domains[operation.domain] else { break }
                    return try domain.acknowledge(operation, answer, in: db)
                case .failed(let operation): try OperationTable.note(operation, in: db)
                case .refused(let operation):
                    try domains[operation.domain]?.rollBack(operation, in: db)
                    return Acknowledgement(isRetired: true, changed: [])
                }
                return Acknowledgement(isRetired: false, changed: [])
            }
        }
    }
}
