import BothyContract
import GRDB

/// What the server's answer to an operation changes on this device: identity and journal, never the cache.
package struct Acknowledgement: Equatable, Sendable {
    /// The operation has left the journal: the cache holds its effect already, or there is none that will.
    package var isRetired: Bool
    /// Operations that know more now: the revision that they are based on, the thing that they are about.
    package var changed: [JournalOperation]

    static func take(_ operation: JournalOperation, file: File?, in db: Database) throws -> Acknowledgement {
        var subject = operation.subject
        if let file { subject = try identify(operation, as: file, in: db) }
        var changed = [JournalOperation]()
        if operation.content != nil, let head = file?.headRevisionId {
            changed = try rebase(subject, after: operation.id, onto: head, in: db)
        }
        let isRetired = try isHeld(subject, operation.acknowledgedVersion ?? 0, in: db)
        if isRetired {
            try OperationTable.remove(operation.id, in: db)
        } else {
            var kept = operation
            // New content of what was there already, as it turned out.
            if subject != operation.subject, let content = operation.content {
                kept.action = .newRevision(content: content, base: nil)
            }
            kept.subject = subject
            try OperationTable.save(kept, in: db)
            if subject != operation.subject { changed.append(kept) }
        }
        return Acknowledgement(isRetired: isRetired, changed: changed)
    }

    private static func identify(_ operation: JournalOperation, as file: File, in db: Database) throws -> LUID {
        let holder = try LuidTable.bind(operation.subject, to: file.id, in: db)
        // What was made turned out to be a thing that is known by another LUID: the rest is said of that one.
        if holder != operation.subject {
            try OperationTable.retarget(from: operation.subject, to: holder, in: db)
        }
        return holder
    }

    /// The next content of the same file was made from what has just been sent.
    private static func rebase(
        _ subject: LUID, after id: Int64, onto head: String, in db: Database
    ) throws -> [JournalOperation] {
        let next = try OperationTable.of(subject, in: db).first { $0.id > id && $0.content != nil }
        guard var operation = next, case .newRevision(let content, nil) = operation.action else { return [] }
        operation.action = .newRevision(content: content, base: head)
        try OperationTable.save(operation, in: db)
        return [operation]
    }

    /// Whether the cache holds the thing at this version or newer. Where no cache is kept, there is none to wait for.
    private static func isHeld(_ luid: LUID, _ version: Int64, in db: Database) throws -> Bool {
        guard try ReplicaStateTable.read(db).cursor != nil else { return true }
        guard let cached = try RemoteFileTable.find(luid, in: db) else { return version == .max }
        return cached.version >= version
    }
}
