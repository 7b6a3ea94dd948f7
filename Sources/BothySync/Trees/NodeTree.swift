/// A tree of named nodes in one array: value semantics, a fixed cost a node, and no rebuilding for one change.
///
/// Looking up a place costs its depth; adding, moving or changing a node costs the same whatever the tree holds.
package struct NodeTree<Facts: Sendable>: Sendable {
    /// A node of this tree, good until it is removed. Ids of one tree mean nothing to another.
    package struct ID: Hashable, Sendable {
        fileprivate let index: Int32

        /// Below the tree's `slotCount`, for tables beside the tree.
        package var slot: Int { Int(index) }

        package static var root: ID { ID(index: 0) }
    }

    private struct Node: Sendable {
        var name: NodeName
        var parent: Int32
        var firstChild: Int32 = none
        var next: Int32 = none
        var previous: Int32 = none
        /// Nil where a node was removed and its slot waits for another.
        var facts: Facts?
    }

    private struct Key: Hashable, Sendable {
        let parent: Int32
        let name: NodeName
    }

    private static var none: Int32 { -1 }

    private var nodes: ContiguousArray<Node>
    private var byName: [Key: Int32] = [:]
    /// The same by names as a disk compares them; empty for one that compares bytes.
    private var byFoldedName: [Key: Int32] = [:]
    private var disk = DiskTraits.exact
    private var free: [Int32] = []

    package init(root: Facts) { nodes = [Node(name: "", parent: Self.none, facts: root)] }

    /// Nodes, the root among them.
    package var count: Int { nodes.count - free.count }

    /// One more than the highest slot in use.
    package var slotCount: Int { nodes.count }

    package mutating func reserveCapacity(_ count: Int) {
        nodes.reserveCapacity(count)
        byName.reserveCapacity(count)
    }

    package subscript(_ node: ID) -> Facts {
        get { nodes[Int(node.index)].facts! }
        set { nodes[Int(node.index)].facts = newValue }
    }
}

// MARK: - Reading

extension NodeTree {
    /// Whether the node is still there.
    package func contains(_ node: ID) -> Bool {
        nodes.indices.contains(Int(node.index)) && nodes[Int(node.index)].facts != nil
    }

    package func name(of node: ID) -> NodeName { nodes[Int(node.index)].name }

    /// Nil for the root.
    package func parent(of node: ID) -> ID? {
        let parent = nodes[Int(node.index)].parent
        return parent == Self.none ? nil : ID(index: parent)
    }

    package func child(_ name: NodeName, of node: ID) -> ID? {
        byName[Key(parent: node.index, name: name)].map(ID.init)
    }

    /// The child that a disk would find under a name: by its bytes, else as the disk compares names.
    package func child(_ name: NodeName, of node: ID, as disk: DiskTraits) -> ID? {
        if let child = child(name, of: node) { return child }
        guard disk.foldsNames else { return nil }
        precondition(self.disk == disk, "a tree is made ready for its disk first")
        return byFoldedName[Key(parent: node.index, name: NameMapping.fold(name, on: disk))].map(ID.init)
    }

    package func node(at place: Place) -> ID? {
        var node = ID.root
        for name in place.names {
            guard let child = child(name, of: node) else { return nil }
            node = child
        }
        return node
    }

    package func place(of node: ID) -> Place {
        var names: [NodeName] = []
        var at = node.index
        while nodes[Int(at)].parent != Self.none {
            names.append(nodes[Int(at)].name)
            at = nodes[Int(at)].parent
        }
        return Place(names.reversed())
    }

    /// In no order that means anything.
    package func children(of node: ID) -> Children { Children(tree: self, at: nodes[Int(node.index)].firstChild) }

    package func hasChildren(_ node: ID) -> Bool { nodes[Int(node.index)].firstChild != Self.none }

    package struct Children: Sequence, IteratorProtocol {
        fileprivate let tree: NodeTree
        fileprivate var at: Int32

        package mutating func next() -> NodeTree.ID? {
            guard at != NodeTree.none else { return nil }
            defer { at = tree.nodes[Int(at)].next }
            return NodeTree.ID(index: at)
        }
    }

    /// The node and all below it, each folder before what is in it.
    package func subtree(of node: ID) -> [ID] {
        var found = [node]
        var at = 0
        while at < found.count {
            found.append(contentsOf: children(of: found[at]))
            at += 1
        }
        return found
    }

    /// Every node that is wanted, in no order that means anything; cheaper than a walk.
    package func nodes(where isWanted: (Facts) -> Bool) -> [ID] {
        nodes.indices.compactMap { index in
            guard let facts = nodes[index].facts, isWanted(facts) else { return nil }
            return ID(index: Int32(index))
        }
    }

    /// How many nodes a subtree has, its top included.
    package func subtreeCount(of node: ID) -> Int { node == .root ? count : subtree(of: node).count }

    /// Whether `node` is `other` or lies below it.
    package func isWithin(_ node: ID, _ other: ID) -> Bool {
        var at: ID? = node
        while let current = at {
            if current == other { return true }
            at = parent(of: current)
        }
        return false
    }
}

// MARK: - Changing

extension NodeTree {
    /// Makes the tree ready to be asked by names as a disk compares them. It costs nothing for a disk that compares bytes.
    package mutating func fold(for disk: DiskTraits) {
        guard disk != self.disk else { return }
        self.disk = disk
        byFoldedName = [:]
        guard disk.foldsNames else { return }
        byFoldedName.reserveCapacity(byName.count)
        for (key, index) in byName { byFoldedName[folded(key)] = index }
    }

    private func folded(_ key: Key) -> Key { Key(parent: key.parent, name: NameMapping.fold(key.name, on: disk)) }

    /// Forgets a name, where it is this node's still.
    private mutating func forget(_ key: Key, of index: Int32) {
        if byName[key] == index { byName[key] = nil }
        guard disk.foldsNames else { return }
        let folded = folded(key)
        if byFoldedName[folded] == index { byFoldedName[folded] = nil }
    }

    /// - Returns: nil where the folder has another node of that name.
    package mutating func insert(_ facts: Facts, named name: NodeName, under parent: ID) -> ID? {
        let key = Key(parent: parent.index, name: name)
        guard byName[key] == nil else { return nil }
        let index = free.popLast() ?? Int32(nodes.count)
        let node = Node(name: name, parent: parent.index, facts: facts)
        if index == nodes.count { nodes.append(node) } else { nodes[Int(index)] = node }
        attach(index, key)
        return ID(index: index)
    }

    /// Removes the node with all below it. The root stays.
    package mutating func remove(_ node: ID) {
        precondition(node != .root, "a tree has a root")
        let gone = subtree(of: node)
        detach(node.index)
        for node in gone {
            let key = Key(parent: nodes[Int(node.index)].parent, name: nodes[Int(node.index)].name)
            forget(key, of: node.index)
            nodes[Int(node.index)].facts = nil
            nodes[Int(node.index)].firstChild = Self.none
            free.append(node.index)
        }
    }

    /// Moves the node with all below it. False, and nothing done, where the name is taken or the folder lies below it.
    @discardableResult
    package mutating func move(_ node: ID, to parent: ID, named name: NodeName) -> Bool {
        let key = Key(parent: parent.index, name: name)
        if let taken = byName[key] { return taken == node.index }
        guard node != .root, !isWithin(parent, node) else { return false }
        detach(node.index)
        nodes[Int(node.index)].parent = parent.index
        nodes[Int(node.index)].name = name
        attach(node.index, key)
        return true
    }

    private mutating func attach(_ index: Int32, _ key: Key) {
        let first = nodes[Int(key.parent)].firstChild
        nodes[Int(index)].previous = Self.none
        nodes[Int(index)].next = first
        if first != Self.none { nodes[Int(first)].previous = index }
        nodes[Int(key.parent)].firstChild = index
        byName[key] = index
        if disk.foldsNames { byFoldedName[folded(key)] = index }
    }

    private mutating func detach(_ index: Int32) {
        let node = nodes[Int(index)]
        if node.next != Self.none { nodes[Int(node.next)].previous = node.previous }
        if node.previous != Self.none {
            nodes[Int(node.previous)].next = node.next
        } else {
            nodes[Int(node.parent)].firstChild = node.next
        }
        forget(Key(parent: node.parent, name: node.name), of: index)
    }
}
