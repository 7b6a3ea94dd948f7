/// Which connections are open, from where, and which of them gives way when there are too many; pure.
///
/// A connection is idle until a request's head has come, and again once that is answered. Only an idle one gives way, the one that
/// has been so for longest: nobody loses an answer. One address has no more than its share, so that a stranger who opens
/// thousands takes none of the others'.
struct OpenConnections: Sendable {
    typealias ID = UInt64

    struct Bounds: Equatable, Sendable {
        /// Connections at once.
        var all: Int
        /// Of these, from one address (of IPv6, one /64).
        var ofOneAddress: Int

        /// A household behind one address has some ten devices with an event stream and a few requests each; where the owner allows
        /// few connections in all, most of these may still be a household's.
        init(all: Int) {
            self.all = all
            ofOneAddress = max(all / 4, min(64, all - all / 4))
        }
    }

    private enum Standing: Sendable {
        case idle, busy
        /// It was told to close, and no longer counts.
        case leaving
    }

    private struct Connection: Sendable {
        /// Nil for those that are not bounded by their address: a trusted proxy's are its clients'.
        var address: String?
        var standing: Standing
    }

    private let bounds: Bounds
    private var lastId: ID = 0
    private var connections = [ID: Connection]()
    private var counted = 0
    private var countedByAddress = [String: Int]()
    private var idle = InOrder<ID>()
    private var idleByAddress = [String: InOrder<ID>]()

    init(_ bounds: Bounds) { self.bounds = bounds }

    /// Connections that count: those that were told to close do not.
    var count: Int { counted }

    /// Whether one more may come: there is room, or somebody who gives way.
    var admits: Bool { counted < bounds.all || idle.first != nil }

    /// Takes note of a new connection.
    ///
    /// - Returns: its id, and who has to close for it: itself where all of its address' are busy.
    mutating func opened(from address: String?) -> (id: ID, givesWay: ID?) {
        lastId += 1
        let id = lastId
        var givesWay: ID?
        if let address, countedByAddress[address, default: 0] >= bounds.ofOneAddress {
            givesWay = idleByAddress[address]?.first ?? id
        } else if counted >= bounds.all {
            givesWay = idle.first
        }
        connections[id] = Connection(address: address, standing: .leaving)
        count(id, as: .idle)
        if let givesWay { count(givesWay, as: .leaving) }
        return (id, givesWay)
    }

    /// A request has begun; also on one that was just told to close, which answers it first.
    mutating func began(_ id: ID) { count(id, as: .busy) }

    /// All requests are answered, and read to their end.
    mutating func rested(_ id: ID) {
        guard connections[id]?.standing == .busy else { return }
        count(id, as: .idle)
    }

    mutating func closed(_ id: ID) {
        count(id, as: .leaving)
        connections[id] = nil
    }

    private mutating func count(_ id: ID, as standing: Standing) {
        guard let known = connections[id], known.standing != standing else { return }
        if known.standing == .idle { setIdle(id, known.address, false) }
        if standing == .idle { setIdle(id, known.address, true) }
        let change = (standing == .leaving ? 0 : 1) - (known.standing == .leaving ? 0 : 1)
        counted += change
        if let address = known.address {
            let left = countedByAddress[address, default: 0] + change
            countedByAddress[address] = left > 0 ? left : nil
        }
        connections[id]?.standing = standing
    }

    private mutating func setIdle(_ id: ID, _ address: String?, _ isIdle: Bool) {
        if isIdle { idle.append(id) } else { idle.remove(id) }
        guard let address else { return }
        // Taken out, changed and put back: in its place it would be copied.
        var own = idleByAddress.removeValue(forKey: address) ?? InOrder()
        if isIdle { own.append(id) } else { own.remove(id) }
        if own.first != nil { idleByAddress[address] = own }
    }
}

/// Things in the order in which they came, each of which may go at any time.
struct InOrder<Element: Hashable & Sendable>: Sendable {
    private var next = [Element: Element]()
    private var previous = [Element: Element]()
    private(set) var first: Element?
    private var last: Element?

    init() {}

    mutating func append(_ element: Element) {
        if let last {
            next[last] = element
            previous[element] = last
        } else {
            first = element
        }
        last = element
    }

    mutating func remove(_ element: Element) {
        let (before, after) = (previous.removeValue(forKey: element), next.removeValue(forKey: element))
        if let before { next[before] = after } else { first = after }
        if let after { previous[after] = before } else { last = before }
    }
}
