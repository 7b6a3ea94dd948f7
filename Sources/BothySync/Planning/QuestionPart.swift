/// The part of three trees that a plan over what was touched needs, so that it is the plan over all of them.
///
/// Whatever is at rest takes part in a plan by its names alone: nothing else may be given them. So the part has
///
/// 1. what was touched, on each tree that has it: a node of the server and one that was agreed on by their id, one on
///    the disk and one that was agreed on by their place;
/// 2. the folders above each of them;
/// 3. what lies beside something touched under a name that it has or may be given;
/// 4. everything below something touched that is not on all three trees: it may come, go or be known again elsewhere.
///
/// Siblings keep their order, since among equals the planner takes the first.
struct QuestionPart {
    let whole: Planner.Question

    private var remote = Set<RemoteTree.ID>()
    private var local = Set<LocalTree.ID>()
    private var synced = Set<SyncedTree.ID>()
    /// Folders whose children are in, each by itself.
    private var openRemote = Set<RemoteTree.ID>()
    private var openLocal = Set<LocalTree.ID>()
    private var openSynced = Set<SyncedTree.ID>()
    /// Folders in which something was touched, or may come to be, and the names of what was touched.
    var besideRemote = Set<RemoteTree.ID>()
    var besideLocal = Set<LocalTree.ID>()
    var besideSynced = Set<SyncedTree.ID>()
    var names = Set<NodeName>()

    init(_ whole: Planner.Question, about touched: Touched) {
        self.whole = whole
        takeIn(RemoteTree.ID.root)
        takeIn(LocalTree.ID.root)
        takeIn(SyncedTree.ID.root)
        for id in touched.ids {
            if let node = whole.remote.node(id) { touch(node) }
            if let node = whole.synced.node(id) { touch(node) }
        }
        for place in touched.places {
            if let node = whole.local.node(at: place) { touch(node) }
            if let node = whole.synced.node(at: place) { touch(node) }
            if let node = whole.remote.tree.node(at: place) { touch(node) }
        }
        takeInBeside()
    }

    // MARK: - Taking in

    mutating func takeIn(_ node: RemoteTree.ID) {
        guard remote.insert(node).inserted else { return }
        if let parent = whole.remote.tree.parent(of: node) { takeIn(parent) }
        if let agreed = whole.synced.node(whole.remote[node].id) { takeIn(agreed) }
    }

    mutating func takeIn(_ node: LocalTree.ID) {
        guard local.insert(node).inserted else { return }
        if let parent = whole.local.tree.parent(of: node) { takeIn(parent) }
        if let agreed = agreed(node) { takeIn(agreed) }
    }

    mutating func takeIn(_ node: SyncedTree.ID) {
        guard synced.insert(node).inserted else { return }
        if let parent = whole.synced.tree.parent(of: node) { takeIn(parent) }
        if let there = there(node) { takeIn(there) }
        if let here = here(node) { takeIn(here) }
    }

    func there(_ node: SyncedTree.ID) -> RemoteTree.ID? { whole.remote.node(whole.synced[node].remoteId) }
    func here(_ node: SyncedTree.ID) -> LocalTree.ID? {
        whole.local.node(at: whole.synced.tree.place(of: node))
    }
    func agreed(_ node: LocalTree.ID) -> SyncedTree.ID? {
        whole.synced.node(at: whole.local.tree.place(of: node))
    }

    // MARK: - Touching

    private mutating func touch(_ node: RemoteTree.ID) {
        takeIn(node)
        lookBeside(node)
        if let agreed = whole.synced.node(whole.remote[node].id) {
            touchAgreed(agreed)
        } else {
            takeInAll(below: node)
        }
    }

    private mutating func touch(_ node: LocalTree.ID) {
        takeIn(node)
        lookBeside(node)
        // What is known again by its content may be the server's at this very place.
        if let there = whole.remote.tree.node(at: whole.local.tree.place(of: node)) { takeIn(there) }
        if let agreed = agreed(node) {
            touchAgreed(agreed)
        } else {
            takeInAll(below: node)
        }
    }

    private mutating func touch(_ node: SyncedTree.ID) { touchAgreed(node) }

    private mutating func touchAgreed(_ node: SyncedTree.ID) {
        takeIn(node)
        lookBeside(node)
        let (there, here) = (there(node), here(node))
        if let there { lookBeside(there) }
        if let here { lookBeside(here) }
        if isOnAll(node, there, here) { return }
        takeInAll(below: node)
        if let there { takeInAll(below: there) }
        if let here { takeInAll(below: here) }
    }

    /// Whether what was agreed on is, as far as places and ids tell, itself on both sides.
    private func isOnAll(_ node: SyncedTree.ID, _ there: RemoteTree.ID?, _ here: LocalTree.ID?) -> Bool {
        let agreed = whole.synced[node]
        guard let there, let here, let stamp = agreed.local, agreed.mark == nil else { return false }
        // What moves may come under a rule that leaves it out, which is as if it were not there.
        if !whole.rules.isEmpty, !isWhereAgreed(there, node) { return false }
        let facts = whole.local[here]
        return whole.remote[there].kind == agreed.kind && facts.kind == agreed.kind && facts.condition == .quiet
            && whole.policy.disk.isSameInode(stamp, facts.stamp)
    }

    private func isWhereAgreed(_ there: RemoteTree.ID, _ node: SyncedTree.ID) -> Bool {
        let folder = whole.remote.tree.parent(of: there).map { whole.remote[$0].id }
        let agreed = whole.synced.tree.parent(of: node).map { whole.synced[$0].remoteId }
        return folder == agreed && whole.remote.tree.name(of: there) == whole.synced[node].remoteName
    }

    /// A folder's names, on every tree that has the folder.
    mutating func open(_ folder: RemoteTree.ID) {
        guard openRemote.insert(folder).inserted else { return }
        takeIn(folder)
        for child in whole.remote.tree.children(of: folder) { takeIn(child) }
        if let agreed = whole.synced.node(whole.remote[folder].id) { open(agreed) }
        if let here = whole.local.node(at: whole.remote.tree.place(of: folder)) { open(here) }
    }

    mutating func open(_ folder: LocalTree.ID) {
        guard openLocal.insert(folder).inserted else { return }
        takeIn(folder)
        for child in whole.local.tree.children(of: folder) { takeIn(child) }
        if let agreed = agreed(folder) { open(agreed) }
        if let there = whole.remote.tree.node(at: whole.local.tree.place(of: folder)) { open(there) }
    }

    mutating func open(_ folder: SyncedTree.ID) {
        guard openSynced.insert(folder).inserted else { return }
        takeIn(folder)
        for child in whole.synced.tree.children(of: folder) { takeIn(child) }
        if let there = there(folder) { open(there) }
        if let here = here(folder) { open(here) }
    }

    private mutating func takeInAll(below node: RemoteTree.ID) {
        for folder in whole.remote.tree.subtree(of: node) where whole.remote[folder].kind == .folder { open(folder) }
    }

    private mutating func takeInAll(below node: LocalTree.ID) {
        for folder in whole.local.tree.subtree(of: node) where whole.local[folder].kind == .folder { open(folder) }
    }

    private mutating func takeInAll(below node: SyncedTree.ID) {
        for folder in whole.synced.tree.subtree(of: node) where whole.synced[folder].kind == .folder { open(folder) }
    }

    // MARK: - Cutting out

    /// How many nodes are in, of all three trees.
    var count: Int { remote.count + local.count + synced.count }

    /// The same question about the part alone.
    func question() -> Planner.Question {
        var part = whole
        part.remote = cutRemote()
        part.local = cutLocal()
        part.synced = cutSynced()
        return part
    }

    private func cutRemote() -> RemoteTree {
        var part = RemoteTree(rootId: whole.remote.rootId)
        part.update(whole.remote[.root])
        var folders = [RemoteTree.ID.root]
        while let folder = folders.popLast() {
            let id = whole.remote[folder].id
            for child in whole.remote.tree.children(of: folder).filter(remote.contains).reversed() {
                part.put(whole.remote[child], named: whole.remote.tree.name(of: child), under: id)
                if whole.remote.tree.hasChildren(child) { folders.append(child) }
            }
        }
        return part
    }

    private func cutLocal() -> LocalTree {
        var part = LocalTree(root: whole.local[.root])
        part.specials = whole.local.specials
        part.leftOut = whole.local.leftOut
        for (place, stamps) in whole.local.unspelled {
            for stamp in stamps { part.noteUnspelled(stamp, at: place) }
        }
        var folders = [(LocalTree.ID.root, LocalTree.ID.root)]
        while let (folder, copy) = folders.popLast() {
            for child in whole.local.tree.children(of: folder).filter(local.contains).reversed() {
                let name = whole.local.tree.name(of: child)
                guard let node = part.tree.insert(whole.local[child], named: name, under: copy) else { continue }
                if whole.local.tree.hasChildren(child) { folders.append((child, node)) }
            }
        }
        return part
    }

    private func cutSynced() -> SyncedTree {
        var part = SyncedTree(rootId: whole.synced.rootId, root: whole.synced[.root].local)
        var folders = [SyncedTree.ID.root]
        while let folder = folders.popLast() {
            let id = whole.synced[folder].remoteId
            for child in whole.synced.tree.children(of: folder).filter(synced.contains).reversed() {
                part.put(whole.synced[child], named: whole.synced.tree.name(of: child), under: id)
                if whole.synced.tree.hasChildren(child) { folders.append(child) }
            }
        }
        return part
    }
}

extension Planner {
    /// The plan over three trees of which all but what was touched is at rest: the same as over all of them, at a cost
    /// that grows with what was touched, and with what lies beside it.
    ///
    /// Not while linking, nor with misfits on the server: then everything is planned over.
    package static func plan(
        _ question: Question, about touched: Touched, under told: Guard.Circumstances
    ) -> Plan {
        plan(QuestionPart(question, about: touched).question(), partOf: question, under: told)
    }
}
