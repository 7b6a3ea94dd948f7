import BothyClient
import BothyContract
import BothySync

/// A server and a disk in memory, tied by what they agreed on, with people who change things on both sides.
struct PlannedWorld {
    var remote = RemoteTree(rootId: "root")
    var local = LocalTree(root: LocalFacts(kind: .folder, stamp: LocalStamp(inode: 1)))
    var synced = SyncedTree(rootId: "root", root: LocalStamp(inode: 1))
    var policy = SyncPolicy(deviceName: "anna", day: "2026-11-20")
    var rules = IgnoreRules.none
    var memory = DeletionMemory.none
    var holding: [Guard.Direction: HoldReason] = [:]

    /// Every content that the server ever took.
    var history: Set<ContentHash> = []
    /// Every content that went to this device's trash.
    var trash: Set<ContentHash> = []
    /// What lies in this device's trash, and in the server's: each with what was below it, folders first.
    var keptHere: [String: [(place: Place, facts: LocalFacts)]] = [:]
    var keptThere: [String: [KeptThere]] = [:]
    /// What was agreed on of folders in this device's trash.
    var keptRows: [String: [AgreedRow]] = [:]
    /// Where the last action put what it took away here.
    var lastKeep: String?
    /// Whether every merge overlaps.
    var mergeFails = false
    /// Whether the disk knows when an inode was made.
    var knowsBirths = true
    /// What lay in the trash here and was brought back.
    var takenBack = Set<String>()
    /// Files of which a conflict is open again.
    var reopened = Set<String>()

    private var lastInode: UInt64 = 1
    private var lastId = 0
    private var tick: Int64 = 0

    static func hash(_ content: Int) -> ContentHash {
        if content == 0 { return .ofNothing }
        return ContentHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: content >> (($0 % 8) * 8)) &+ 1 })!
    }

    var question: Planner.Question {
        var policy = policy
        for id in reopened { policy.conflictsBelow[id] = .ask }
        var question = Planner.Question(
            remote: remote, local: local, synced: synced, policy: policy, rules: rules, memory: memory, holding: holding
        )
        for kept in keptThere.values.joined() { question.trash[kept.facts.id] = kept.facts }
        return question
    }

    func plan() -> Plan { Planner.plan(question) }

    var whereabouts: Whereabouts { Whereabouts(remote, local, synced, disk: policy.disk) }

    // MARK: - People on the disk

    private mutating func stamp(size: Int64, of known: LocalStamp? = nil) -> LocalStamp {
        tick += 1
        if known == nil { lastInode += 1 }
        let born = known.map(\.bornAt) ?? (knowsBirths ? inodeTime : nil)
        return LocalStamp(
            inode: known?.inode ?? lastInode, size: size, modifiedAt: Timestamp(seconds: tick), changedAt: inodeTime,
            bornAt: born)
    }

    /// Fast enough for some files to be older than any save takes.
    private var inodeTime: Timestamp { Timestamp(seconds: tick * 4) }

    /// Whether the disk has something else under that name, as it compares names, or a link there.
    func isTaken(_ place: Place, for moved: Place? = nil) -> Bool {
        if local.specials[place] != nil { return true }
        guard policy.disk.foldsNames, let folder = local.node(at: place.parent) else { return false }
        let folded = NameMapping.fold(place.name, on: policy.disk)
        return local.tree.children(of: folder).contains {
            let name = local.tree.name(of: $0)
            let isOther = name != place.name && local.tree.place(of: $0) != moved
            return isOther && NameMapping.fold(name, on: policy.disk) == folded
        }
    }

    mutating func write(_ place: Place, _ content: Int, executable: Bool = false) {
        if isTaken(place) { return }
        let stamp = stamp(size: Int64(content), of: local.facts(at: place)?.stamp)
        local.put(LocalFacts(kind: .file, stamp: stamp, executable: executable, hash: Self.hash(content)), at: place)
    }

    /// As editors do: a new file, renamed onto the old one.
    mutating func saveByRename(_ place: Place, _ content: Int) {
        local.put(LocalFacts(kind: .file, stamp: stamp(size: Int64(content)), hash: Self.hash(content)), at: place)
    }

    mutating func makeFolder(_ place: Place) {
        guard local.node(at: place) == nil, !isTaken(place) else { return }
        local.put(LocalFacts(kind: .folder, stamp: stamp(size: 0)), at: place)
    }

    @discardableResult
    mutating func move(_ place: Place, to target: Place) -> Bool {
        guard !isTaken(target, for: place), local.move(place, to: target), var facts = local.facts(at: target) else {
            return false
        }
        tick += 1
        facts.stamp.changedAt = inodeTime
        local.put(facts, at: target)
        local.specials = Dictionary(
            uniqueKeysWithValues: local.specials.map { (Self.moved($0.key, from: place, to: target), $0.value) })
        return true
    }

    private static func moved(_ place: Place, from old: Place, to new: Place) -> Place {
        guard place.names.starts(with: old.names) else { return place }
        return Place(new.names + place.names.dropFirst(old.names.count))
    }

    mutating func delete(_ place: Place) {
        local.remove(place)
        local.specials = local.specials.filter { !$0.key.names.starts(with: place.names) }
    }

    /// Puts a symbolic link in the place of whatever is there.
    mutating func link(_ place: Place) {
        guard !place.isRoot, local.facts(at: place.parent)?.kind == .folder else { return }
        delete(place)
        if !isTaken(place) { local.specials[place] = .symbolicLink }
    }

    mutating func change(_ place: Place, _ change: (inout LocalFacts) -> Void) {
        guard var facts = local.facts(at: place) else { return }
        change(&facts)
        local.put(facts, at: place)
    }

    // MARK: - People on the server

    func id(_ place: Place) -> String? { remote.tree.node(at: place).map { remote[$0].id } }

    @discardableResult
    mutating func writeThere(_ place: Place, _ content: Int) -> String? {
        guard let folder = id(place.parent) else { return nil }
        tick += 1
        let known = id(place).flatMap { remote.facts($0) }
        if known == nil { lastId += 1 }
        let facts = RemoteFacts(
            id: known?.id ?? "f\(lastId)", kind: .file, headRevisionId: "r\(tick)", checksum: Self.hash(content),
            size: Int64(content), executable: known?.executable ?? false, modifiedAt: Timestamp(seconds: tick),
            version: (known?.version ?? 0) + 1)
        guard remote.put(facts, named: place.name, under: folder) else { return nil }
        history.insert(Self.hash(content))
        return facts.id
    }

    mutating func makeFolderThere(_ place: Place) {
        guard let folder = id(place.parent), id(place) == nil else { return }
        lastId += 1
        remote.put(RemoteFacts(id: "d\(lastId)", kind: .folder), named: place.name, under: folder)
    }

    @discardableResult
    mutating func moveThere(_ place: Place, to target: Place) -> Bool {
        guard let id = id(place), let folder = self.id(target.parent), var facts = remote.facts(id) else {
            return false
        }
        facts.version += 1
        return remote.put(facts, named: target.name, under: folder)
    }

    mutating func deleteThere(_ place: Place) { id(place).map { trashThere($0) } }

    mutating func changeThere(_ place: Place, _ change: (inout RemoteFacts) -> Void) {
        guard let id = id(place), var facts = remote.facts(id) else { return }
        change(&facts)
        facts.version += 1
        remote.update(facts)
    }

    // MARK: - What executors need

    mutating func newStamp(size: Int64, modifiedAt: Timestamp) -> LocalStamp {
        var stamp = stamp(size: size)
        stamp.modifiedAt = modifiedAt
        return stamp
    }

    mutating func touchedStamp(_ stamp: LocalStamp, modifiedAt: Timestamp) -> LocalStamp {
        tick += 1
        var stamp = stamp
        stamp.modifiedAt = modifiedAt
        stamp.changedAt = inodeTime
        return stamp
    }

    mutating func newRevision(of known: RemoteFacts?, _ mine: LocalFingerprint) -> RemoteFacts {
        tick += 1
        if known == nil { lastId += 1 }
        let prefix = mine.kind == .file ? "f" : "d"
        return RemoteFacts(
            id: known?.id ?? "\(prefix)\(lastId)", kind: mine.kind,
            headRevisionId: mine.kind == .file ? "r\(tick)" : nil,
            checksum: mine.hash, size: mine.stamp.size, executable: known?.executable ?? false,
            modifiedAt: mine.stamp.modifiedAt, version: (known?.version ?? 0) + 1)
    }
}
