import BothyContract

/// A drive as a value: slow, small, and plainly right. It says what API.md says, and passes what the server passes.
///
/// A copy is a backup. Nothing in it depends on the order of a dictionary, so that a seed replays in any process.
package struct ServerModel: Sendable {
    /// What was asked under a request id, and what came of it.
    private struct Outcome: Sendable {
        /// Nil for one that was withdrawn before it arrived.
        var call: ServerCall?
        var answer: ServerAnswer
        var lived: Int64
    }

    /// A place in the log, and what changed there.
    struct Entry: Sendable {
        var tag: UInt32
        var entityId: String
    }

    /// Days that a successful outcome, what lies in the trash, and a deletion are kept, as the server documents it.
    package static let outcomeDays: Int64 = 30
    package static let trashDays: Int64 = 30
    package static let memoryDays: Int64 = 365

    /// The calendar, which may jump; set by the owner of time.
    package var now = Timestamp(seconds: 1_795_000_000)
    /// Seconds that the server has lived: they only grow.
    package private(set) var lived: Int64 = 0
    package private(set) var epoch: Int64 = 1
    /// Bytes; nil for no limit.
    package var quotaLimit: Int64?

    var nodes: [String: ServerNode] = [:]
    var contents: [ContentHash: [UInt8]] = [:]
    var log: [Entry] = []
    /// Entries before this place are forgotten.
    var oldestSequence: Int64 = 0
    var deletions: [Deletion] = []
    var deletionLived: [Int64] = []
    private var outcomes: [String: Outcome] = [:]
    private var nextId = 1

    package init() {
        nodes[File.rootId] = ServerNode(
            id: File.rootId, serial: 0, parentId: nil, name: "", mimeType: File.folderMimeType, createdAt: now,
            modifiedAt: now, updatedAt: now)
    }

    // MARK: What is asked

    /// Does what is asked, once for each request id, all of it or nothing.
    ///
    /// - Throws: the `Problem` that the server would answer with; nothing has changed then.
    package mutating func perform(
        _ call: ServerCall, requestId: String? = nil, by device: String? = nil
    ) throws(Problem) -> ServerAnswer {
        if let requestId, let earlier = outcomes[requestId] {
            guard earlier.call == call else { throw Self.mismatch }
            return earlier.answer
        }
        var next = self
        var answer = try next.act(call, requestId: requestId, device: device)
        if next.head.isNext(after: head), next.log.last?.entityId == answer.file?.id { answer.cursorBefore = cursor }
        if let requestId { next.outcomes[requestId] = Outcome(call: call, answer: answer, lived: lived) }
        self = next
        return answer
    }

    /// What has come of a request.
    ///
    /// - Parameter withdrawing: it is refused from now on, if nothing has come of it.
    /// - Returns: nil for nothing.
    package mutating func end(of requestId: String, withdrawing: Bool) -> ServerAnswer? {
        if let outcome = outcomes[requestId] { return outcome.call == nil ? nil : outcome.answer }
        if let made = created(by: requestId) { return answer(made.id, head) }
        if withdrawing {
            outcomes[requestId] = Outcome(call: nil, answer: ServerAnswer(cursor: head.text), lived: lived)
        }
        return nil
    }

    private mutating func act(
        _ call: ServerCall, requestId: String?, device: String?
    ) throws(Problem) -> ServerAnswer {
        switch call {
        case .create(let request): try create(request, requestId, device)
        case .update(let id, let request, let ifMatch): try update(id, request, ifMatch: ifMatch, device)
        case .delete(let id, let deletion): try delete(id, deletion, device)
        case .upload(let request, let content): try upload(request, content, requestId, device)
        case .copy(let id, let request): try copy(id, request, requestId, device)
        case .restore(let id, let revisionId): try restore(id, revisionId, device)
        }
    }

    // MARK: Time, and bad days

    /// Lives on: the trash empties itself, and what is remembered for a time only is forgotten.
    package mutating func live(seconds: Int64) {
        lived += seconds
        let day: Int64 = 86_400
        for node in nodes.values.sorted(by: { $0.id < $1.id })
        where node.trashedAt != nil && node.trashedLived < lived - Self.trashDays * day {
            if nodes[node.id] != nil { _ = purge(node, nil) }
        }
        outcomes = outcomes.filter { $0.value.lived >= lived - Self.outcomeDays * day }
        let kept = deletions.indices.filter { deletionLived[$0] >= lived - Self.memoryDays * day }
        deletions = kept.map { deletions[$0] }
        deletionLived = kept.map { deletionLived[$0] }
    }

    /// Becomes what `backup` was, as a restored server does: with a new epoch, so that no cursor of its old life holds.
    package mutating func restore(from backup: ServerModel) {
        let ahead = max(epoch, backup.epoch) + 1
        let ids = nextId
        self = backup
        epoch = ahead
        nextId = ids
    }

    /// Forgets the log so far, as age does: cursors from before expire.
    package mutating func forgetLog() { oldestSequence = Int64(log.count) }

    // MARK: What its parts share

    mutating func newId(_ prefix: String) -> String {
        defer { nextId += 1 }
        return "\(prefix)\(nextId)"
    }

    /// Logs a change.
    ///
    /// - Returns: its place.
    @discardableResult
    mutating func append(_ entityId: String) -> ChangeCursor {
        // The tag tells one past from another: it depends on the epoch, and so on restores.
        let place = UInt64(log.count) &* 0x9E37_79B9 &+ UInt64(bitPattern: epoch) &* 0x85EB_CA6B
        log.append(Entry(tag: UInt32(truncatingIfNeeded: place ^ (place >> 32)), entityId: entityId))
        return head
    }

    /// The place of the last change.
    var head: ChangeCursor {
        ChangeCursor(epoch: epoch, sequence: Int64(log.count), tag: log.last?.tag ?? 0)
    }

    static let mismatch = Problem(.idempotencyMismatch, "This request id was used for something else.")
}
