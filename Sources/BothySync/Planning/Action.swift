import BothyClient
import BothyContract

/// One step towards agreement, with why it is taken.
///
/// The actions of a plan are taken in order. Each says what it expects to find and replaces nothing else: carrying it out looks
/// again at the last instant, and where something else is there, does nothing and plans again.
/// After each, `SyncedTree.settle` moves what is agreed on by that one step.
package struct Action: Hashable, Codable, Sendable {
    package var step: Step
    package var reason: Reason

    package init(_ step: Step, _ reason: Reason) {
        self.step = step
        self.reason = reason
    }
}

/// What is done. Places are those on the disk at the moment of this action, after the actions before it.
///
/// Indirect, since the actions of a plan are handed from place to place, and each has twenty strings.
package indirect enum Step: Hashable, Codable, Sendable {
    // MARK: What is agreed on

    /// Both sides are the same, or as agreed: write that down. Nothing moves. Where their contents differ, which a person has
    /// yet to decide about, it is the place that they agree on.
    case record(at: Spot, mine: LocalFingerprint, theirs: RemoteFingerprint)
    /// Nothing of it is left on either side, or it is no longer synced: forget it, with all below it.
    case forget(remoteId: String, at: Place)
    /// A rule leaves it out from now on, with all below it: what was agreed on of it stays known, and is marked.
    case leaveOut(remoteId: String, at: Place)
    /// Agree anew: on another of its kind that was made on the server in its place; or, where the id is the same, on the
    /// server's version alone, since what is here is about to go its own way. The latter is written down before anything moves,
    /// or a crash in between would make a rename of it.
    case rebind(remoteId: String, to: RemoteFingerprint, at: Place)
    /// It was deleted on the server and stays here, marked, until a person confirms.
    case markUnsynced(remoteId: String, at: Spot, mine: LocalFingerprint?, UnsyncedReason)

    // MARK: On the server

    /// - Parameter insteadOf: the id under which it was agreed on, and which the server holds no longer.
    case makeRemoteFolder(at: Spot, mine: LocalFingerprint, insteadOf: String?)
    /// - Parameter over: what it replaces as a new revision; nil for a new file.
    /// - Parameter insteadOf: of a new file, the id under which it was agreed on, and which the server holds no longer.
    case upload(at: Spot, mine: LocalFingerprint, over: RemoteFingerprint?, insteadOf: String?)
    /// - Parameter settles: whether both sides agree on where it is when this is done.
    case moveRemote(RemoteFingerprint, at: Place, to: Spot, settles: Bool)
    /// Out of the server's trash, to where it shall be: a move here beat its deletion, or an edit, which goes over it next.
    case untrashRemote(RemoteFingerprint, at: Spot)
    /// - Parameter count: how many files and folders go, what is below included.
    case trashRemote(RemoteFingerprint, at: Place, count: Int)
    case touchRemote(RemoteFingerprint, at: Place, modifiedAt: Timestamp, executable: Bool)

    // MARK: On the disk

    case makeLocalFolder(at: Spot, theirs: RemoteFingerprint)
    /// - Parameter over: what it replaces, which goes to the local trash; nil where nothing may be there.
    case download(at: Spot, theirs: RemoteFingerprint, over: LocalFingerprint?)
    /// - Parameter remoteId: nil for what the server does not know yet.
    /// - Parameter settles: whether both sides agree on where it is when this is done.
    case moveLocal(LocalFingerprint, remoteId: String?, from: Place, to: Spot, settles: Bool)
    /// Moves this side's version of a conflict to a name of its own, where it is a new file; its place waits for the server's.
    case setAside(LocalFingerprint, remoteId: String?, from: Place, to: Place)
    /// To the local trash, with all below it.
    /// - Parameter count: how many files and folders go, what is below included.
    case trashLocal(LocalFingerprint, remoteId: String, at: Place, count: Int)
    case touchLocal(LocalFingerprint, remoteId: String, at: Place, modifiedAt: Timestamp, executable: Bool)
    /// Merges both versions of a text, from the revision that they have in common, into the file here. What was here goes to the
    /// local trash; where they cannot be merged, the outcome says so and nothing is touched.
    case merge(at: Place, base: String?, mine: LocalFingerprint, theirs: RemoteFingerprint)
}

/// Where something is, or shall be, on both sides.
package struct Spot: Hashable, Codable, Sendable {
    /// The place on the disk.
    package var place: Place
    /// The id of its folder on the server; nil while an earlier action of the plan has yet to make that folder, which then
    /// is agreed on at `place.parent`.
    package var folderId: String?
    /// Its name on the server. On the disk it is `place.name`.
    package var remoteName: NodeName

    package init(_ place: Place, folderId: String?, remoteName: NodeName) {
        self.place = place
        self.folderId = folderId
        self.remoteName = remoteName
    }
}

/// What an action expects on the disk.
package struct LocalFingerprint: Hashable, Codable, Sendable {
    package var kind: NodeKind
    package var stamp: LocalStamp
    /// Of a file.
    package var hash: ContentHash?

    package init(_ facts: LocalFacts) {
        kind = facts.kind
        stamp = facts.stamp
        hash = facts.hash
    }

    /// Whether this is still what stands there. Renaming a file changes when its inode changed, so that is not asked.
    package func matches(_ facts: LocalFacts) -> Bool {
        guard kind == facts.kind, stamp.isSameInode(as: facts.stamp) else { return false }
        return kind == .folder || stamp.isSameContent(as: facts.stamp)
    }
}

/// What an action expects on the server.
package struct RemoteFingerprint: Hashable, Codable, Sendable {
    package var id: String
    package var kind: NodeKind
    package var revisionId: String?
    /// Of a file.
    package var checksum: ContentHash?
    /// Bytes of a file, to make sure that there is room for them.
    package var size: Int64
    package var version: Int64

    package init(_ facts: RemoteFacts) {
        id = facts.id
        kind = facts.kind
        revisionId = facts.headRevisionId
        checksum = facts.checksum
        size = facts.size
        version = facts.version
    }
}
