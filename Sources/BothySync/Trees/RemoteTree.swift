import BothyClient
import BothyContract

/// The server's side of a binding: what lives below the bound folder, as of the replica's cursor. Nothing in the trash.
package struct RemoteTree: Sendable {
    package typealias ID = NodeTree<RemoteFacts>.ID

    package private(set) var tree: NodeTree<RemoteFacts>
    private var byId: [String: ID]
    /// What the server listed and no tree can hold, by id. Nothing of it counts as gone.
    package var misfits: [String: Misfit] = [:]

    /// - Parameter rootId: the bound folder's id, or the drive's root.
    package init(rootId: String) {
        tree = NodeTree(root: RemoteFacts(id: rootId, kind: .folder))
        byId = [rootId: .root]
    }

    package var rootId: String { tree[.root].id }

    package func node(_ id: String) -> ID? { byId[id] }

    package subscript(_ node: ID) -> RemoteFacts { tree[node] }

    package func facts(_ id: String) -> RemoteFacts? { byId[id].map { tree[$0] } }

    // MARK: - Changing

    /// Puts a node under a folder of this tree, or moves it there with what is below it and changes its facts.
    ///
    /// - Returns: false, and nothing done, where the folder is not here, its name is taken, or it lies below the node.
    @discardableResult
    package mutating func put(_ facts: RemoteFacts, named name: NodeName, under parentId: String) -> Bool {
        guard let parent = byId[parentId], tree[parent].kind == .folder else { return false }
        if let node = byId[facts.id] {
            guard tree.move(node, to: parent, named: name) else { return false }
            tree[node] = facts
            return true
        }
        guard let node = tree.insert(facts, named: name, under: parent) else { return false }
        byId[facts.id] = node
        return true
    }

    /// Changes what is known of a node, where it stands.
    package mutating func update(_ facts: RemoteFacts) {
        if let node = byId[facts.id] { tree[node] = facts }
    }

    /// Removes a node with all below it.
    package mutating func remove(_ id: String) {
        guard let node = byId[id], node != .root else { return }
        for gone in tree.subtree(of: node) { byId[tree[gone].id] = nil }
        tree.remove(node)
    }
}

/// What the server says of a file or folder.
package struct RemoteFacts: Equatable, Sendable {
    package var id: String
    package var kind: NodeKind
    /// Absent for folders and new empty files.
    package var headRevisionId: String?
    /// Of every file, also of a new empty one.
    package var checksum: ContentHash?
    /// Bytes; 0 for a folder.
    package var size: Int64
    package var executable: Bool
    /// The content's own time.
    package var modifiedAt: Timestamp
    /// Grows with each change of this file, by anyone.
    package var version: Int64

    package init(
        id: String, kind: NodeKind, headRevisionId: String? = nil, checksum: ContentHash? = nil, size: Int64 = 0,
        executable: Bool = false, modifiedAt: Timestamp = Timestamp(seconds: 0), version: Int64 = 1
    ) {
        self.id = id
        self.kind = kind
        self.headRevisionId = headRevisionId
        self.checksum = checksum
        self.size = size
        self.executable = executable
        self.modifiedAt = modifiedAt
        self.version = version
    }

    package init(_ file: File) {
        self.init(
            id: file.id, kind: file.isFolder ? .folder : .file, headRevisionId: file.headRevisionId,
            checksum: file.checksum ?? (file.isFolder ? nil : .ofNothing), size: file.size, executable: file.executable,
            modifiedAt: file.modifiedAt,
            version: file.version)
    }
}

/// What a server listed and no tree can hold, with why.
package struct Misfit: Equatable, Sendable {
    package var name: String
    package var reason: HoldReason

    package init(name: String, reason: HoldReason) {
        self.name = name
        self.reason = reason
    }
}

extension ContentHash {
    /// The SHA-256 of no bytes.
    package static let ofNothing = ContentHash(hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")!
}
