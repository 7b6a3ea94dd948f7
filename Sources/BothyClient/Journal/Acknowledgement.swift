import BothyContract
import GRDB

/// What the server's answer to an operation changes on this device: identity and journal, never the cache.
package struct Acknowledgement: Sendable {
    /// The operation has left the journal: the cache holds its effect already, or there is none that will.
    package var isRetired: Bool
    /// Operations that know more now: the revision that they are based on, the thing that they are about.
    package var changed: [any DomainOperation]

    static func take(_ operation: JournalOperation, file: File?, in db: Database) throws -> Acknowledgement {
        var kept = operation
        var changed = [any DomainOperation]()
        if let file {
            kept.subject = try identify(operation, as: file, in: db)
            changed = try rebase(&kept, onto: file, in: db)
        }
        let isRetired = try isHeld(kept.subject, operation.acknowledgedVersion ?? 0, in: db)
        if isRetired {
            try OperationTable.remove(operation.id, in: db)
        } else {
            // New content of what was there already, as it turned out.
            if kept.subject != operation.subject, let content = operation.content {
                kept.action = .newRevision(content: content, base: nil)
            }
            try OperationTable.save(kept, in: db)
            changed.append(kept)
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

    /// What was done next to a thing was done to what has just been sent. Where the server has something else in its place
    /// by now, that was not seen, and must not be lost by it.
    ///
    /// - Parameters:
    ///   - sent: about what it is at the server; it learns which revision it became.
    ///   - file: as the server has it now.
    /// - Returns: those that know more by it.
    static func rebase(_ sent: inout JournalOperation, onto file: File, in db: Database) throws -> [JournalOperation] {
        guard sent.content != nil || sent.creates else { return [] }
        let head = (file.checksum == sent.content?.checksum ? file.headRevisionId : nil) ?? SeenContent.unseen
        if sent.content != nil { sent.acknowledgedRevision = head }
        let base = try head == SeenContent.unseen ? revisionHere(of: sent, in: db) ?? head : head
        let seen = try seen(sent, file, base, in: db)
        var changed = [JournalOperation]()
        // What comes after other content was done to that, and hears of it when that was sent.
        var isBehindContent = false
        for var operation in try OperationTable.of(sent.subject, in: db) where operation.id > sent.id {
            switch operation.action {
            case .newRevision(let content, nil) where !operation.sent && !isBehindContent:
                operation.action = .newRevision(content: content, base: base)
                isBehindContent = true
            case .newRevision:
                isBehindContent = true
                continue
            case .trash where !operation.sent && !isBehindContent: operation.action = .trash(seen: seen)
            // It is no longer this person's alone: until that content is there, nobody can tell what they had seen.
            case .trash(.anything) where !operation.sent: operation.action = .trash(seen: .unknown)
            default: continue
            }
            try OperationTable.save(operation, in: db)
            changed.append(operation)
        }
        return changed
    }

    /// What it became, where its effect has come with the log before the answer.
    private static func revisionHere(of sent: JournalOperation, in db: Database) throws -> String? {
        guard let content = sent.content, let there = try RemoteFileTable.find(sent.subject, in: db),
            there.checksum == content.checksum
        else { return nil }
        return there.headRevisionId
    }

    /// What somebody knew who deleted a thing that they thought was theirs alone.
    private static func seen(
        _ sent: JournalOperation, _ file: File, _ head: String, in db: Database
    ) throws -> SeenContent {
        guard file.isFolder else { return .head(revisionId: head) }
        // What is in it by now was not seen, except for what is put there from here.
        if let cursor = try ReplicaStateTable.read(db).cursor { return .subtree(cursor: cursor) }
        return file.requestId == sent.requestId ? .anything : .unknown
    }

    /// Whether the cache holds the thing at this version or newer. What is known from before a link may be of another past:
    /// that is judged at the link's end.
    private static func isHeld(_ luid: LUID, _ version: Int64, in db: Database) throws -> Bool {
        guard try ReplicaStateTable.read(db).leftCursor == nil else { return false }
        guard let cached = try RemoteFileTable.find(luid, in: db) else { return version == .max }
        return cached.version >= version
    }
}
