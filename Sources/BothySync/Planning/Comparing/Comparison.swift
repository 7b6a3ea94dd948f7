import BothyClient
import BothyContract

/// The three trees laid over each other: which nodes are one file or folder, what becomes of it, and where it shall be.
struct Comparison {
    let remote: RemoteTree
    let local: LocalTree
    let synced: SyncedTree
    let policy: SyncPolicy
    let rules: IgnoreRules
    let memory: DeletionMemory
    /// Files in the server's trash, by id.
    let trash: [String: RemoteFacts]
    /// Sides from which nothing may be taken away, and why.
    let holding: [Guard.Direction: HoldReason]

    /// Names that something has which is never touched.
    let blocked: Set<NameHere>

    var items: [Item] = []
    /// By slot of each tree; -1 where a node is no item.
    var ofRemote: [Int]
    var ofLocal: [Int]
    var ofSynced: [Int]
    var standing: [Place: Standing] = [:]
    /// The names that what moves or is made takes, by its folder's item.
    var claims = NameClaims()
    /// Nodes that the rules leave out, whose folders are taken in.
    var leftOutHere: [LocalTree.ID] = []
    var leftOutThere: [RemoteTree.ID] = []

    init(_ question: Planner.Question) {
        remote = question.remote
        var local = question.local
        local.tree.fold(for: question.policy.disk)
        self.local = local
        blocked = Set(
            (Array(local.specials.keys) + local.leftOut).compactMap { place in
                local.node(at: place.parent).map { NameHere(place.name, of: $0, on: question.policy.disk) }
            })
        synced = question.synced
        policy = question.policy
        rules = question.rules
        memory = question.memory
        trash = question.trash
        holding = question.holding
        ofRemote = Array(repeating: -1, count: remote.tree.slotCount)
        ofLocal = Array(repeating: -1, count: local.tree.slotCount)
        ofSynced = Array(repeating: -1, count: synced.tree.slotCount)
        pair()
        decideFates()
        decidePlaces()
        keepFolders()
        settleNames()
    }
}

/// A name in a folder of the disk, as that compares names, wherever the folder is moved to.
struct NameHere: Hashable {
    let folder: LocalTree.ID
    let name: NodeName

    init(_ name: NodeName, of folder: LocalTree.ID, on disk: DiskTraits) {
        self.folder = folder
        self.name = NameMapping.fold(name, on: disk)
    }
}

/// One file or folder, on up to three trees.
struct Item {
    var remote: RemoteTree.ID?
    var local: LocalTree.ID?
    var synced: SyncedTree.ID?
    /// Why what is here, or on the server, cannot be known now.
    var unknown: HoldReason?
    /// Agreed on under an id that the server has no longer, and now about to be paired with another at its place.
    var isRebound = false
    var fate = Fate.keep
    var reason = Reason.sameOnBothSides
    /// What the server's trash has of it, where it comes back from there.
    var trashed: RemoteFacts?
    /// What is agreed on is forgotten first: it is kept for the sake of a folder above it, as something new.
    var isRenewed = false
    /// Why it is where it shall be, if it is not there.
    var moveReason = Reason.sameOnBothSides
    /// The item of the folder that it shall be in; -1 for the root.
    var folder = -1
    var localName: NodeName = ""
    var remoteName: NodeName = ""
    /// Whether an action may be due.
    var isBusy = false
    var isPlaced = false
}

/// Names that are spoken for, on both sides.
struct NameClaims {
    private struct Key: Hashable {
        let folder: Int
        let name: NodeName
    }

    private var there: [Key: Int] = [:]
    private var here: [Key: Int] = [:]

    func holderThere(_ name: NodeName, in folder: Int) -> Int? { there[Key(folder: folder, name: name)] }
    /// - Parameter folded: as the disk compares names.
    func holderHere(_ folded: NodeName, in folder: Int) -> Int? { here[Key(folder: folder, name: folded)] }

    mutating func claimThere(_ name: NodeName, in folder: Int, for index: Int) {
        there[Key(folder: folder, name: name)] = index
    }

    mutating func claimHere(_ folded: NodeName, in folder: Int, for index: Int) {
        here[Key(folder: folder, name: folded)] = index
    }
}

/// What becomes of an item.
enum Fate: Equatable {
    /// It is, or shall be, on both sides.
    case keep
    /// It goes from the side that has it.
    case drop
    /// It stays where it is, marked.
    case mark(UnsyncedReason)
    /// It stays as it is, and nothing is done.
    case stay(Standing)
    /// It is no longer agreed on; nothing is touched.
    case forget
}

extension Comparison {
    func item(_ node: RemoteTree.ID?) -> Int { node.map { ofRemote[$0.slot] } ?? -1 }
    func item(_ node: LocalTree.ID?) -> Int { node.map { ofLocal[$0.slot] } ?? -1 }
    func item(_ node: SyncedTree.ID?) -> Int { node.map { ofSynced[$0.slot] } ?? -1 }

    func remoteFolder(of index: Int) -> Int { items[index].remote.map { item(remote.tree.parent(of: $0)) } ?? -1 }
    func localFolder(of index: Int) -> Int { items[index].local.map { item(local.tree.parent(of: $0)) } ?? -1 }
    func syncedFolder(of index: Int) -> Int { items[index].synced.map { item(synced.tree.parent(of: $0)) } ?? -1 }

    /// The server's state is older than what was agreed on: what is here counts as changed since, and what is there not.
    func serverWentBack(_ index: Int) -> Bool {
        guard policy.isLinking, let node = items[index].remote, let agreed = items[index].synced else { return false }
        return !items[index].isRebound && remote[node].version < synced[agreed].version
    }

    /// Whether it is left out with the folder that it is in: what is said of that holds for it.
    func isLeftOutWithItsFolder(_ index: Int) -> Bool {
        let folder = syncedFolder(of: index)
        return folder >= 0 && isLeftOut(index) && isLeftOut(folder)
    }

    private func isLeftOut(_ index: Int) -> Bool {
        if case .stay(.ignored) = items[index].fate { true } else { false }
    }

    var isExactDisk: Bool { policy.disk.spelling == .exact }

    /// Whether two names on the disk are one to it, its spelling aside.
    func isSameOnDisk(_ left: NodeName, _ right: NodeName) -> Bool {
        if left == right { return true }
        return !isExactDisk && left.text == right.text
    }

    /// Where a person finds it: on the disk, else where it was or would be there.
    func place(of index: Int) -> Place {
        if let node = items[index].local { return local.tree.place(of: node) }
        if let node = items[index].synced { return placeAgreed(node) }
        return items[index].remote.map(placeToBe) ?? .root
    }

    private func placeToBe(_ node: RemoteTree.ID) -> Place {
        guard let folder = remote.tree.parent(of: node) else { return .root }
        let above = item(folder)
        let name = remote.tree.name(of: node)
        return (above >= 0 ? place(of: above) : placeToBe(folder))
            .appending(NameMapping.localName(for: name, on: policy.disk) ?? name)
    }

    private func placeAgreed(_ node: SyncedTree.ID) -> Place {
        guard let folder = synced.tree.parent(of: node) else { return .root }
        return placeAgreed(folder).appending(agreedNameHere(node))
    }
}
