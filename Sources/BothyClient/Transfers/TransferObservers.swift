/// Who watches which transfers in this process.
struct TransferObservers {
    private struct Observer {
        var moving: Set<String>
        var continuation: AsyncStream<TransferSnapshot>.Continuation
    }

    private var observers = [Int: Observer]()
    private var byTransfer = [String: Set<Int>]()
    private var numbers = 0

    mutating func add(
        _ ids: Set<String>, _ continuation: AsyncStream<TransferSnapshot>.Continuation
    ) -> Int {
        numbers += 1
        observers[numbers] = Observer(moving: ids, continuation: continuation)
        for id in ids { byTransfer[id, default: []].insert(numbers) }
        return numbers
    }

    mutating func remove(_ number: Int) {
        guard let observer = observers.removeValue(forKey: number) else { return }
        for id in observer.moving { byTransfer[id]?.remove(number) }
        observer.continuation.finish()
    }

    /// Tells those who watch it. A stream ends when all that it watches rest; a transfer that takes another's place is
    /// watched instead of it.
    mutating func tell(_ snapshot: TransferSnapshot) {
        for number in byTransfer[snapshot.id] ?? [] {
            observers[number]?.continuation.yield(snapshot)
            guard snapshot.state.rests else { continue }
            observers[number]?.moving.remove(snapshot.id)
            byTransfer[snapshot.id]?.remove(number)
            if let next = snapshot.replacedBy {
                observers[number]?.moving.insert(next)
                byTransfer[next, default: []].insert(number)
            }
            if observers[number]?.moving.isEmpty == true { remove(number) }
        }
        if byTransfer[snapshot.id]?.isEmpty == true { byTransfer[snapshot.id] = nil }
    }

    /// Nothing more will be told of it: its observers do not wait for that.
    mutating func drop(_ id: String) {
        for number in byTransfer.removeValue(forKey: id) ?? [] {
            observers[number]?.moving.remove(id)
            if observers[number]?.moving.isEmpty == true { remove(number) }
        }
    }

    var isEmpty: Bool { observers.isEmpty }
    /// Transfers that somebody waits for.
    var watched: [String] { Array(byTransfer.keys) }
    func watches(_ id: String) -> Bool { byTransfer[id] != nil }
}
