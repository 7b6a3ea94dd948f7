/// Which operations may run side by side, and which must wait for others.
///
/// Two keep their order when one writes what the other reads or writes: a thing (its subject), the folders above it, a
/// name in a folder. So lanes run freely where nothing is shared, and what a person did to one thing arrives in order.
struct OperationOrder: Sendable {
    private typealias Key = DomainFacts.Key

    private var keys = [Int64: (reads: Set<Key>, writes: Set<Key>)]()
    private var readers = [Key: Set<Int64>]()
    private var writers = [Key: Set<Int64>]()
    private var blockers = [Int64: Set<Int64>]()
    private var dependents = [Int64: Set<Int64>]()

    /// Adds an operation behind all that are there.
    ///
    /// - Parameter waits: whether it waits for one with which it shares something.
    /// - Returns: those that it waits for.
    @discardableResult
    mutating func add(
        _ id: Int64, _ facts: DomainFacts, waits: (Int64) -> Bool = { _ in true }
    ) -> Set<Int64> {
        let (reads, writes) = (facts.reads, facts.writes)
        var waitsFor = Set<Int64>()
        for key in writes { waitsFor.formUnion((readers[key] ?? []).union(writers[key] ?? [])) }
        for key in reads { waitsFor.formUnion(writers[key] ?? []) }
        waitsFor.remove(id)
        waitsFor = waitsFor.filter(waits)
        keys[id] = (reads, writes)
        for key in reads { readers[key, default: []].insert(id) }
        for key in writes { writers[key, default: []].insert(id) }
        blockers[id] = waitsFor
        for blocker in waitsFor { dependents[blocker, default: []].insert(id) }
        return waitsFor
    }

    func isFree(_ id: Int64) -> Bool { blockers[id]?.isEmpty ?? false }

    /// It has left the journal.
    ///
    /// - Returns: those that wait for nothing any more.
    mutating func remove(_ id: Int64) -> [Int64] {
        if let (reads, writes) = keys.removeValue(forKey: id) {
            for key in reads {
                readers[key]?.remove(id)
                if readers[key]?.isEmpty == true { readers[key] = nil }
            }
            for key in writes {
                writers[key]?.remove(id)
                if writers[key]?.isEmpty == true { writers[key] = nil }
            }
        }
        for blocker in blockers.removeValue(forKey: id) ?? [] { dependents[blocker]?.remove(id) }
        return (dependents.removeValue(forKey: id) ?? []).filter { unblock($0, from: id) }.sorted()
    }

    /// It stays, and not all have to wait for it any more.
    ///
    /// - Parameter waits: whether one of those that wait for it still does.
    /// - Returns: those that wait for nothing any more.
    mutating func release(_ id: Int64, waits: (Int64) -> Bool) -> [Int64] {
        let free = (dependents[id] ?? []).filter { !waits($0) }
        dependents[id]?.subtract(free)
        return free.filter { unblock($0, from: id) }.sorted()
    }

    private mutating func unblock(_ id: Int64, from blocker: Int64) -> Bool {
        blockers[id]?.remove(blocker)
        return blockers[id]?.isEmpty ?? false
    }
}
