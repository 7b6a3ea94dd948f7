import BothyContract
import Collections

/// Pending operations over cached server state: what a view shows.
///
/// The law: replaying an operation over the cache shows the same as performing it on the server and fetching the result.
/// Pure. Each operation's effect is kept with what it read, so that a change of the cache or of the journal evaluates
/// again only the operations that it can matter to.
package struct Overlay: Sendable {
    /// What an operation does to what was before it, and what of that it looked at.
    struct Effect: Equatable, Sendable {
        var reads = Set<ViewKey>()
        var files = [LUID: ReplicaFile?]()
        var names = [NameInFolder: LUID?]()
        /// The server would refuse it as things stand.
        var refusal: FailureCode?

        var writes: [ViewKey] { files.keys.map(ViewKey.file) + names.keys.map(ViewKey.name) }
    }

    private var operations = [Int64: JournalOperation]()
    private var effects = [Int64: Effect]()
    /// Who wrote what, in order.
    private var fileWrites = [LUID: [(operation: Int64, file: ReplicaFile?)]]()
    private var nameWrites = [NameInFolder: [(operation: Int64, luid: LUID?)]]()
    private var readers = [ViewKey: Set<Int64>]()

    package init() {}

    package init(_ operations: [JournalOperation], over ground: some OverlayGround) throws {
        for operation in operations where operation.isShown { _ = try put(operation, over: ground) }
    }

    // MARK: - Reading

    /// A thing as it is shown; nil where there is none.
    package func file(_ luid: LUID, over ground: some OverlayGround) throws -> ReplicaFile? {
        if let last = fileWrites[luid]?.last { return last.file }
        return try ground.file(luid)
    }

    /// What has this name and is not in the trash.
    package func child(at place: NameInFolder, over ground: some OverlayGround) throws -> LUID? {
        if let last = nameWrites[place]?.last { return last.luid }
        return try ground.child(at: place)
    }

    /// The things that operations have something to say about.
    package var touched: some Collection<LUID> { fileWrites.keys }

    /// Why the server would refuse an operation as things stand; nil where it would not.
    package func refusal(of operation: Int64) -> FailureCode? { effects[operation]?.refusal }

    /// The names that an operation looks at, takes or frees.
    package func places(of operation: Int64) -> [NameInFolder] {
        guard let effect = effects[operation] else { return [] }
        var places = Set(effect.names.keys)
        for case .name(let place) in effect.reads { places.insert(place) }
        return places.sorted { ($0.parent, $0.name) < ($1.parent, $1.name) }
    }

    package func contains(_ operation: Int64) -> Bool { effects[operation] != nil }

    // MARK: - Deltas

    /// Adds an operation, or takes the new state of one that is there.
    ///
    /// - Returns: the things that look otherwise now.
    package mutating func put(_ operation: JournalOperation, over ground: some OverlayGround) throws -> Set<LUID> {
        guard operation.isShown else { return try remove(operation.id, over: ground) }
        operations[operation.id] = operation
        return try evaluate([operation.id], over: ground)
    }

    package mutating func remove(_ operation: Int64, over ground: some OverlayGround) throws -> Set<LUID> {
        guard operations.removeValue(forKey: operation) != nil else { return [] }
        return try evaluate([operation], over: ground)
    }

    /// The cache has changed in these places, and these operations have left with it.
    package mutating func rebase(
        _ keys: Set<ViewKey>, retired: [Int64] = [], over ground: some OverlayGround
    ) throws -> Set<LUID> {
        var dirty = Set<Int64>()
        for key in keys { dirty.formUnion(readers[key] ?? []) }
        for id in retired where operations.removeValue(forKey: id) != nil { dirty.insert(id) }
        var changed = try evaluate(dirty, over: ground)
        for case .file(let luid) in keys { changed.insert(luid) }
        return changed
    }

    /// Evaluates in order; who read what came out otherwise is evaluated too.
    private mutating func evaluate(_ first: Set<Int64>, over ground: some OverlayGround) throws -> Set<LUID> {
        var order = Heap(first)
        var dirty = first
        var changed = Set<LUID>()
        while let id = order.popMin() {
            dirty.remove(id)
            let old = effects[id] ?? Effect()
            let new = try effect(of: id, over: ground)
            guard new != old else { continue }
            replace(old, by: new, of: id)
            changed.formUnion(old.files.keys)
            changed.formUnion(new.files.keys)
            for key in Set(old.writes + new.writes) {
                for reader in readers[key] ?? [] where reader > id && dirty.insert(reader).inserted {
                    order.insert(reader)
                }
            }
        }
        return changed
    }

    private func effect(of id: Int64, over ground: some OverlayGround) throws -> Effect {
        guard let operation = operations[id] else { return Effect() }
        var replay = Replay(
            reads: [],
            file: { luid in
                if let before = fileWrites[luid]?.last(where: { $0.operation < id }) { return before.file }
                return try ground.file(luid)
            },
            child: { place in
                if let before = nameWrites[place]?.last(where: { $0.operation < id }) { return before.luid }
                return try ground.child(at: place)
            })
        return try replay.effect(of: operation)
    }

    private mutating func replace(_ old: Effect, by new: Effect, of id: Int64) {
        for key in old.reads.subtracting(new.reads) {
            readers[key]?.remove(id)
            if readers[key]?.isEmpty == true { readers[key] = nil }
        }
        for key in new.reads { readers[key, default: []].insert(id) }
        for luid in old.files.keys {
            fileWrites[luid]?.removeAll { $0.operation == id }
            if fileWrites[luid]?.isEmpty == true { fileWrites[luid] = nil }
        }
        for place in old.names.keys {
            nameWrites[place]?.removeAll { $0.operation == id }
            if nameWrites[place]?.isEmpty == true { nameWrites[place] = nil }
        }
        for (luid, file) in new.files {
            fileWrites[luid, default: []].append((id, file))
            fileWrites[luid]?.sort { $0.operation < $1.operation }
        }
        for (place, luid) in new.names {
            nameWrites[place, default: []].append((id, luid))
            nameWrites[place]?.sort { $0.operation < $1.operation }
        }
        effects[id] = operations[id] == nil ? nil : new
    }
}
