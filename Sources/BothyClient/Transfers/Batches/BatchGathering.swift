import BothyContract
import Collections

/// Which small files go together in one request, up or down, and when. Pure.
///
/// Nothing waits for a clock: a request leaves when it is full, or when nobody who has begun (to read a file, or to fetch one) is
/// about to join it. While as many are under way as may be, the next one gathers.
struct BatchGathering {
    struct Item: Equatable {
        var number: Int
        /// Bytes that it takes in a request, its metadata too, or in an answer.
        var bytes: Int
    }

    private var waiting = Deque<Item>()
    private var waitingBytes = 0
    /// Files that are about to join.
    private var expected = 0
    private var underWay = 0
    private var mostBytes: Int
    /// Files that go alone yet, since a batch was refused.
    private var alone = 0
    /// Whether the server, and everything before it, takes batches, as far as that is known.
    var isTaken: Bool { alone == 0 }

    /// Requests under way at once: while one is stored here or there, the next is on its way.
    static let mostUnderWay = 2
    static let mostItems = 128
    /// Files that go alone before a batch is tried again: what refused it may have been a moment's fault, and an agent runs for weeks.
    static let aloneAfterRefusal = 1024
    /// A little less than what nginx takes without being told otherwise, 1 MiB.
    static let largestBody = 1000 << 10

    /// - Parameter mostBytes: of one request, or of its answer.
    init(mostBytes: Int = Self.largestBody) { self.mostBytes = mostBytes }

    // MARK: - Files

    /// Somebody has begun, and is about to join.
    mutating func expect() { expected += 1 }

    /// One that was expected joins; nil where it does not.
    mutating func joined(_ item: Item?) {
        expected -= 1
        if let item { add(item) }
    }

    /// What was refused only because of the company that it was in.
    mutating func add(_ item: Item) {
        waiting.append(item)
        waitingBytes += item.bytes
    }

    /// Nobody asks for it any more; nothing happens where it has left already.
    mutating func remove(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waitingBytes -= waiting.remove(at: index).bytes
    }

    // MARK: - Requests

    /// The items of the next request; nil when none is due.
    mutating func next() -> [Int]? {
        guard underWay < (isTaken ? Self.mostUnderWay : HTTPTransport.connections), !waiting.isEmpty else { return nil }
        guard expected == 0 || !isTaken || isFull else { return nil }
        var items = [Item]()
        var bytes = 0
        while let item = waiting.first, items.isEmpty || fits(item, items.count, bytes) {
            waiting.removeFirst()
            items.append(item)
            bytes += item.bytes
        }
        waitingBytes -= bytes
        underWay += 1
        alone = max(0, alone - items.count)
        return items.map(\.number)
    }

    mutating func ended() { underWay -= 1 }

    /// The server knows no batches, or could not take this one: the next files go one by one.
    mutating func giveUpBatches() { alone = Self.aloneAfterRefusal }

    /// A request of so many bytes was too large for something on the way.
    mutating func shrink(below bytes: Int) { mostBytes = min(mostBytes, bytes / 2) }

    private var isFull: Bool { waiting.count >= Self.mostItems || waitingBytes >= mostBytes }

    private func fits(_ item: Item, _ count: Int, _ bytes: Int) -> Bool {
        isTaken && count < Self.mostItems && bytes + item.bytes <= mostBytes
    }
}
