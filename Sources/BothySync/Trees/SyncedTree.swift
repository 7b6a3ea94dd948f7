import BothyClient
import BothyContract

/// What both sides last agreed on. Its places are those on the disk; each node keeps its name on the server beside it.
package struct SyncedTree: Sendable {
    package typealias ID = NodeTree<SyncedFacts>.ID

    package private(set) var tree: NodeTree<SyncedFacts>
    private var byRemoteId: [String: ID]

    /// - Parameter rootId: the bound folder's id on the server.
    package init(rootId: String, root: LocalStamp? = nil) {
        tree = NodeTree(root: SyncedFacts(remoteId: rootId, kind: .folder, remoteName: "", local: root))
        byRemoteId = [rootId: .root]
    }

    package var rootId: String { tree[.root].remoteId }

    /// How many files and folders are agreed on and not left out.
    var countInStep: Int { tree.nodes { $0.mark != .leftOut }.count - 1 }

    package func node(_ remoteId: String) -> ID? { byRemoteId[remoteId] }
    package func node(at place: Place) -> ID? { tree.node(at: place) }

    package subscript(_ node: ID) -> SyncedFacts { tree[node] }

    package func facts(_ remoteId: String) -> SyncedFacts? { byRemoteId[remoteId].map { tree[$0] } }
    package func facts(at place: Place) -> SyncedFacts? { tree.node(at: place).map { tree[$0] } }

    /// The name of a node that has given its place away: one that no disk can hold.
    package static func nameOfNoPlace(_ remoteId: String) -> NodeName { NodeName("\0\(remoteId)") }
    package static func isOfNoPlace(_ name: NodeName) -> Bool { name.text.utf8.first == 0 }

    // MARK: - Changing

    /// Puts a node under a folder of this tree, or moves it there with what is below it and changes its facts.
    ///
    /// A node of another id that stands there has left that place on both sides, or it would not be given away; until its own way
    /// is settled it is kept under a name that nothing can have.
    ///
    /// - Returns: false, and nothing done, where the folder is not here or lies below the node.
    @discardableResult
    package mutating func put(_ facts: SyncedFacts, named name: NodeName, under parentId: String) -> Bool {
        guard let parent = byRemoteId[parentId] else { return false }
        if let node = byRemoteId[facts.remoteId], tree.isWithin(parent, node) { return false }
        if let other = tree.child(name, of: parent), tree[other].remoteId != facts.remoteId {
            tree.move(other, to: parent, named: Self.nameOfNoPlace(tree[other].remoteId))
        }
        if let node = byRemoteId[facts.remoteId] {
            tree.move(node, to: parent, named: name)
            tree[node] = facts
        } else {
            byRemoteId[facts.remoteId] = tree.insert(facts, named: name, under: parent)
        }
        return true
    }

    /// Changes what is agreed on of a node, where it stands. Its id may change too, to one that is not here.
    package mutating func update(_ remoteId: String, _ change: (inout SyncedFacts) -> Void) {
        guard let node = byRemoteId[remoteId] else { return }
        change(&tree[node])
        guard tree[node].remoteId != remoteId else { return }
        byRemoteId[remoteId] = nil
        byRemoteId[tree[node].remoteId] = node
    }

    /// Forgets a node with all below it. The root stays.
    package mutating func remove(_ remoteId: String) {
        guard let node = byRemoteId[remoteId], node != .root else { return }
        for gone in tree.subtree(of: node) { byRemoteId[tree[gone].remoteId] = nil }
        tree.remove(node)
    }
}

/// What was agreed on about a file or folder, and by what each side is known again.
package struct SyncedFacts: Equatable, Codable, Sendable {
    package var remoteId: String
    package var kind: NodeKind
    /// Its name on the server; on the disk it may have another, where the disk cannot hold that one.
    package var remoteName: NodeName
    /// Nil while it is known and not on the disk: to be brought there, and not a deletion.
    package var local: LocalStamp?
    /// As the disk had it; beside the server's, for disks that cannot hold it.
    package var localExecutable: Bool
    /// The revision that both sides had.
    package var baseRevisionId: String?
    package var checksum: ContentHash?
    /// Bytes.
    package var size: Int64
    package var remoteExecutable: Bool
    package var remoteModifiedAt: Timestamp
    /// The server's version of it when both agreed.
    package var version: Int64
    package var mark: SyncedMark?

    /// Whether the server has it, and the disk.
    var isOnBothSides: Bool { !isKeptApart && local != nil }

    /// Whether it is marked as unsynced, or as left out.
    var isKeptApart: Bool {
        switch mark {
        case .unsynced, .leftOut: true
        case .unmergeable, nil: false
        }
    }

    package init(
        remoteId: String, kind: NodeKind, remoteName: NodeName, local: LocalStamp?, localExecutable: Bool = false,
        baseRevisionId: String? = nil, checksum: ContentHash? = nil, size: Int64 = 0, remoteExecutable: Bool = false,
        remoteModifiedAt: Timestamp = Timestamp(seconds: 0), version: Int64 = 1, mark: SyncedMark? = nil
    ) {
        self.remoteId = remoteId
        self.kind = kind
        self.remoteName = remoteName
        self.local = local
        self.localExecutable = localExecutable
        self.baseRevisionId = baseRevisionId
        self.checksum = checksum
        self.size = size
        self.remoteExecutable = remoteExecutable
        self.remoteModifiedAt = remoteModifiedAt
        self.version = version
        self.mark = mark
    }

    /// What both sides hold at this moment.
    package init(remote: RemoteFacts, remoteName: NodeName, local: LocalFacts?) {
        self.init(
            remoteId: remote.id, kind: remote.kind, remoteName: remoteName, local: local?.stamp,
            localExecutable: local?.executable ?? false, baseRevisionId: remote.headRevisionId,
            checksum: remote.checksum, size: remote.size, remoteExecutable: remote.executable,
            remoteModifiedAt: remote.modifiedAt, version: remote.version)
    }
}

/// Why a node that both sides agreed on is kept apart.
package enum SyncedMark: Equatable, Codable, Sendable {
    /// It was deleted on the server and stays here until a person confirms.
    case unsynced(UnsyncedReason)
    /// A rule leaves it out, or did at the last look. What both sides had is known for when it is taken in again; but
    /// nobody looked whether it is still here, so that it was not deleted where it is missing then.
    case leftOut
    /// These two versions were tried and cannot be merged.
    case unmergeable(mine: ContentHash, theirs: ContentHash)
}
