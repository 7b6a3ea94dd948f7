/// What a network does to requests while it is bad: chances in percent, of each request.
package struct NetworkFaults: Equatable, Sendable {
    /// The request never arrives.
    package var dropped = 0
    /// The server acts, and its answer never arrives.
    package var cut = 0
    /// The request arrives twice, and the second answer is the one that is heard.
    package var repeated = 0
    /// The device gives up, and the request arrives later, behind what came after it.
    package var late = 0
    /// Bytes arrive other than they were sent.
    package var garbled = 0

    package static let none = NetworkFaults()
    package static let bad = NetworkFaults(dropped: 8, cut: 8, repeated: 6, late: 5, garbled: 4)
    /// Nothing gets through.
    package static let offline = NetworkFaults(dropped: 100)

    package init(dropped: Int = 0, cut: Int = 0, repeated: Int = 0, late: Int = 0, garbled: Int = 0) {
        self.dropped = dropped
        self.cut = cut
        self.repeated = repeated
        self.late = late
        self.garbled = garbled
    }

    /// What becomes of one request.
    enum Fate: Sendable {
        case delivered, dropped, cut, repeated, late
    }

    func fate(_ dice: inout SeededRandom) -> Fate {
        var roll = Int.random(in: 0..<100, using: &dice)
        for (chance, fate) in [(dropped, Fate.dropped), (cut, .cut), (repeated, .repeated), (late, .late)] {
            if roll < chance { return fate }
            roll -= chance
        }
        return .delivered
    }
}
