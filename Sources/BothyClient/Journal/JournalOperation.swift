import BothyContract

/// Something that a person did, from the moment of doing it until the server's own word of it has arrived here.
///
/// `queued → sending → acknowledged`, then it leaves the journal; or `conflict` and `parked`, which wait for a person.
public struct JournalOperation: Codable, Equatable, Sendable, Identifiable {
    /// How far an operation is.
    public enum State: String, Codable, CaseIterable, Sendable {
        /// Waits for its turn, for what it depends on, for the network, or for its next attempt.
        case queued
        /// Asked of the server; no answer yet.
        case sending
        /// Done at the server; it stays until the cache holds what it did, so that nothing flickers.
        case acknowledged
        /// The server has something that this person had not seen.
        case conflict
        /// Refused for good, or failed again and again: to be tried again or discarded.
        case parked
    }

    /// What is done, named by LUIDs alone.
    public enum Action: Codable, Equatable, Sendable {
        case createFolder(parent: LUID, name: String)
        case upload(parent: LUID, name: String, content: PendingContent, conflict: ConflictPolicy)
        /// - base: the revision that the content was made from; nil for one that waits to be sent itself.
        case newRevision(content: PendingContent, base: String?)
        case rename(name: String)
        /// - name: its name in the new folder, where that is another one.
        case move(parent: LUID, name: String?)
        /// - seen: what the one who deletes has seen.
        case trash(seen: SeenContent)
        case restore
        case star(Bool)
        case hide(Bool)
    }

    /// The order: what was done first is first.
    public let id: Int64
    /// How the server knows it again, however often it is sent.
    public let requestId: String
    public var action: Action
    /// What it is done to, or makes.
    public var subject: LUID
    /// The names that it takes or frees; of a folder's deletion also those in it that were freed by moving something out of it, and
    /// may still be taken at the server.
    package var places: [NameInFolder]
    /// The folders that its subject, and the folder it goes to, lay in when it was done.
    package var scope: [LUID]
    public var state: State
    /// It has left this device at least once: it cannot be undone here any more.
    public var sent: Bool
    /// Failures that were not the network's.
    public var attempts: Int
    /// Not before this moment; nil for at once.
    public var nextAttemptAt: Timestamp?
    /// Why it is not done yet, or never.
    public var lastError: ClientFailure?
    /// The subject's version that the server answered with.
    public var acknowledgedVersion: Int64?
    /// The revision that its content has become; nil before that.
    package var acknowledgedRevision: String?
    /// When the person did it.
    public let createdAt: Timestamp
    public var updatedAt: Timestamp

    package init(
        id: Int64, requestId: String, action: Action, subject: LUID, places: [NameInFolder] = [], scope: [LUID] = [],
        state: State = .queued, sent: Bool = false, attempts: Int = 0, nextAttemptAt: Timestamp? = nil,
        lastError: ClientFailure? = nil, acknowledgedVersion: Int64? = nil,
        acknowledgedRevision: String? = nil, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.requestId = requestId
        self.action = action
        self.subject = subject
        self.places = places
        self.scope = scope
        self.state = state
        self.sent = sent
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.lastError = lastError
        self.acknowledgedVersion = acknowledgedVersion
        self.acknowledgedRevision = acknowledgedRevision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A name in a folder.
public struct NameInFolder: Hashable, Codable, Sendable {
    public var parent: LUID
    public var name: String

    public init(parent: LUID, name: String) {
        self.parent = parent
        self.name = name
    }
}

extension JournalOperation {
    /// Its kind by a name that never changes.
    public var kind: String {
        switch action {
        case .createFolder: "create_folder"
        case .upload: "upload"
        case .newRevision: "new_revision"
        case .rename: "rename"
        case .move: "move"
        case .trash: "trash"
        case .restore: "restore"
        case .star: "star"
        case .hide: "hide"
        }
    }

    /// It makes its subject.
    package var creates: Bool {
        switch action {
        case .createFolder, .upload: true
        default: false
        }
    }

    package var isDeletion: Bool { if case .trash = action { true } else { false } }

    /// Content that it sends.
    public var content: PendingContent? {
        switch action {
        case .upload(_, _, let content, _), .newRevision(let content, _): content
        default: nil
        }
    }

    /// It deletes a folder with all that is in it; or something of which only the server's answer will say what it is.
    package var deletesAFolder: Bool {
        switch action {
        case .trash(.subtree), .trash(.anything): true
        default: false
        }
    }

    /// Whether it deletes a folder that another has moved something out of before, which stays in it if that is given up.
    package func deletesWhatWouldStay(without move: JournalOperation) -> Bool {
        guard case .trash = action, state != .acknowledged else { return false }
        // Its own name is in a folder above it.
        return move.placesLeft.contains { places.contains($0) && !scope.contains($0.parent) }
    }

    /// The name in another folder that it moves its subject away from; none where it moves nothing.
    package var placesLeft: [NameInFolder] {
        guard case .move(let parent, _) = action else { return [] }
        return places.filter { $0.parent != parent }
    }

    /// The place that a move or a rename takes its subject from; nil of anything else.
    package var origin: NameInFolder? {
        switch action {
        case .rename(let name): places.first { $0.name != name }
        case .move(let parent, let name):
            places.first { $0.parent != parent } ?? name.flatMap { name in places.first { $0.name != name } }
        default: nil
        }
    }

    /// Where it makes or puts its subject; nil where that stays where it is.
    package var destination: LUID? {
        switch action {
        case .createFolder(let parent, _), .upload(let parent, _, _, _), .move(let parent, _): parent
        default: nil
        }
    }

    /// Whether the view shows it: what was refused did not happen, but what exists here alone is still here.
    package var isShown: Bool {
        switch state {
        case .queued, .sending, .acknowledged: true
        case .conflict, .parked: creates
        }
    }

    /// Whether something else stands under its number by now.
    func isOvertaken(by other: JournalOperation) -> Bool {
        // Asked anew of a server that was put back, it has its request id with an ending.
        other.requestId != requestId && !other.requestId.hasPrefix(requestId + "-")
    }

    package var waitsForAPerson: Bool { state == .conflict || state == .parked }
}
