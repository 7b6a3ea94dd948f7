/// Makes inputs out of seeds: the same seed and number give the same input, on any machine.
struct Mutator {
    /// Bytes that an input has at most.
    static let largest = 64 << 10
    /// Numbers at which lengths and places like to go wrong.
    private static let edges: [UInt64] = [
        0, 1, 7, 8, 127, 128, 255, 65_535, 1 << 24, 1 << 31, 1 << 32 - 1, 1 << 63, .max,
    ]

    let seeds: [[UInt8]]
    let words: [[UInt8]]

    func input(_ number: UInt64, of seed: UInt64) -> [UInt8] {
        var dice = SeededGenerator(seed: seed &* 0xd134_2543_de82_ef95 &+ number)
        var bytes = seeds.randomElement(using: &dice) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &dice) { mutate(&bytes, &dice) }
        return Array(bytes.prefix(Self.largest))
    }

    private func mutate(_ bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &dice)
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &dice))
        switch Int.random(in: 0..<11, using: &dice) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &dice)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &dice)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.removeLast(bytes.count - place)
        case 5: bytes.insert(contentsOf: words.randomElement(using: &dice) ?? [], at: place)
        case 6: writeEdge(into: &bytes, at: place, &dice)
        case 7: bytes.insert(contentsOf: other(&dice), at: place)
        case 8: bytes.replaceSubrange(place..., with: other(&dice))
        case 9: insertAgainAndAgain(place..<end, into: &bytes, &dice)
        default: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
        }
    }

    /// Deeper than a bound that counts what lies in each other.
    private func insertAgainAndAgain(_ part: Range<Int>, into bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        let again = Array(repeating: Array(bytes[part]), count: Int.random(in: 2...40, using: &dice)).joined()
        bytes.insert(contentsOf: again, at: part.lowerBound)
    }

    /// In either order of bytes, over what is there.
    private func writeEdge(into bytes: inout [UInt8], at place: Int, _ dice: inout SeededGenerator) {
        let width = [1, 2, 4, 8].randomElement(using: &dice) ?? 1
        let edge = (Self.edges.randomElement(using: &dice) ?? 0) &+ UInt64.random(in: 0...2, using: &dice) &- 1
        let number = (0..<width).map { UInt8(truncatingIfNeeded: edge >> (8 * $0)) }
        let isLittle = Bool.random(using: &dice)
        bytes.replaceSubrange(place..<min(bytes.count, place + width), with: isLittle ? number : number.reversed())
    }

    /// A piece of another seed.
    private func other(_ dice: inout SeededGenerator) -> ArraySlice<UInt8> {
        let seed = seeds.randomElement(using: &dice) ?? []
        let start = Int.random(in: 0...seed.count, using: &dice)
        return seed[start..<min(seed.count, start + Int.random(in: 0...400, using: &dice))]
    }
}
