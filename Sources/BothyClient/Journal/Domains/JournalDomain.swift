import GRDB

/// What the server said to an operation that it has done.
package protocol DomainAnswer: Sendable {
    /// The subject's version; 0 where it has none.
    var version: Int64 { get }
}

/// One kind of things in the journal: how its operations are sent, and what their answers change here.
package protocol JournalDomain: Sendable {
    var name: JournalDomainName { get }

    /// Those of what is due that go to the server together.
    func together(_ leaving: [any DomainOperation]) -> [[any DomainOperation]]

    /// It is about to be sent: what has become known of the things that it speaks of is written into it, so that it is sent the same
    /// however often.
    ///
    /// - Returns: the operation as it is sent.
    func leaving(_ operation: any DomainOperation, in db: Database) throws -> any DomainOperation

    /// Does them at the server, each under its own request id.
    ///
    /// - Returns: what came of each, in their order.
    func send(_ company: [any DomainOperation]) async -> [Result<any DomainAnswer, any Error>]

    /// The server has done it: what that changes here, in the transaction in which it is written down.
    func acknowledge(
        _ operation: any DomainOperation, _ answer: any DomainAnswer, in db: Database
    ) throws -> Acknowledgement

    /// The server has refused for good what rolls back: it leaves the journal.
    func rollBack(_ operation: any DomainOperation, in db: Database) throws
}

extension JournalDomain {
    package func together(_ leaving: [any DomainOperation]) -> [[any DomainOperation]] { leaving.map { [$0] } }

    package func leaving(_ operation: any DomainOperation, in db: Database) throws -> any DomainOperation { operation }

    package func rollBack(_ operation: any DomainOperation, in db: Database) throws {
        try OperationTable.remove(operation.id, in: db)
    }

    /// - Throws: for an operation of another domain, which is a mistake in the program.
    func own<Operation: DomainOperation>(_ operation: any DomainOperation) throws -> Operation {
        guard let own = operation as? Operation else {
            throw ClientFailure(.unexpected, "An operation of \(operation.domain) came to \(name).")
        }
        return own
    }
}
