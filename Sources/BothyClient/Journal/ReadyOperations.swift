import Collections

/// Operations of one kind that wait for nothing but their turn and their time. Pure.
struct ReadyOperations: Sendable {
    /// What something else waits for goes first, then what was done first.
    struct Turn: Comparable, Sendable {
        var isUrgent: Bool
        var id: Int64

        static func < (left: Turn, right: Turn) -> Bool {
            left.isUrgent == right.isUrgent ? left.id < right.id : left.isUrgent
        }
    }

    private var ids = Set<Int64>()
    /// Those of them that wait for their time.
    private(set) var timed = Set<Int64>()
    /// The others in their order. What is not ready any more is passed over when its turn comes.
    private var turns = Heap<Turn>()

    mutating func insert(_ id: Int64, isUrgent: Bool, isTimed: Bool) {
        ids.insert(id)
        if isTimed {
            timed.insert(id)
        } else {
            timed.remove(id)
            turns.insert(Turn(isUrgent: isUrgent, id: id))
        }
    }

    mutating func remove(_ id: Int64) {
        ids.remove(id)
        timed.remove(id)
    }

    /// One that is ready goes before those that nothing waits for.
    mutating func hurry(_ id: Int64) {
        guard ids.contains(id), !timed.contains(id) else { return }
        turns.insert(Turn(isUrgent: true, id: id))
    }

    /// The one whose turn it is; it stays ready.
    mutating func first() -> Turn? {
        while let turn = turns.min {
            if ids.contains(turn.id), !timed.contains(turn.id) { return turn }
            turns.removeMin()
        }
        return nil
    }
}
