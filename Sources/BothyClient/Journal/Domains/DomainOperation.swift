import BothyContract

/// The kinds of things that operations of the one journal are about.
package enum JournalDomainName: String, Codable, CaseIterable, Sendable {
    case files, feed
}

/// An operation of the journal, of whichever domain.
package protocol DomainOperation: Sendable {
    static var domain: JournalDomainName { get }

    /// The order: what was done first is first.
    var id: Int64 { get }
    /// How the server knows it again, however often it is sent.
    var requestId: String { get }
    /// Its kind by a name that never changes.
    var kind: String { get }
    var state: JournalOperation.State { get set }
    /// It has left this device at least once: it cannot be undone here any more.
    var sent: Bool { get set }
    /// Failures that were not the network's.
    var attempts: Int { get set }
    /// Not before this moment; nil for at once.
    var nextAttemptAt: Timestamp? { get set }
    /// Why it is not done yet, or never.
    var lastError: ClientFailure? { get set }
    /// The subject's version that the server answered with.
    var acknowledgedVersion: Int64? { get set }
    /// When the person did it.
    var createdAt: Timestamp { get }
    var updatedAt: Timestamp { get set }
    /// What of it decides about its order.
    var facts: DomainFacts { get }
}

extension DomainOperation {
    package var domain: JournalDomainName { Self.domain }

    package var waitsForAPerson: Bool { state == .conflict || state == .parked }

    /// It knows more now, and is as far as it was.
    func standing(as other: any DomainOperation) -> Self {
        var operation = self
        operation.state = other.state
        operation.sent = other.sent
        operation.attempts = other.attempts
        operation.nextAttemptAt = other.nextAttemptAt
        operation.lastError = other.lastError
        operation.acknowledgedVersion = other.acknowledgedVersion
        operation.updatedAt = other.updatedAt
        return operation
    }
}
