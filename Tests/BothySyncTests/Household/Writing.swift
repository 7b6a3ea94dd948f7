/// What one person writes at one time: a new content, or one that is made out of an earlier one. No other is like it, because each has
/// who wrote it in it, and the how-manyth it is.
struct Writing {
    private let sign: [UInt8]

    /// More than one request takes: it goes in blocks, and its next version as patches.
    static let film = 6 << 20
    /// From the second change on it goes as patches, too.
    static let book = 2 << 20
    /// Bytes past which no edit makes a file longer.
    private static let longest = 8 << 20
    /// One in so many contents is a film, and one a book.
    private static let largeOneIn = 40
    /// Bytes that an edit brings, but for the sign.
    private static let newBytes = [0, 0, 200, 5_000, 100_000]
    private static let words = [
        "shelter", "stands", "open", "in", "any", "weather", "\n", "and", "a", "stove", "is", "lit",
    ]
    .map { Array("\($0) ".utf8) }

    init(by name: String, number: Int) { sign = Array("\(name) \(number) ".utf8) }

    /// Many are of one size: time alone tells them apart without reading.
    func content(_ chance: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0..<Self.largeOneIn, using: &chance) {
        case 0: noise(Self.film, &chance)
        case 1: text(Self.book, &chance)
        case 2...11: small(&chance)
        default: noise(40, &chance)
        }
    }

    /// One of those that go together with others.
    func small(_ chance: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 100...70_000, using: &chance)
        return Bool.random(using: &chance) ? noise(count, &chance) : text(count, &chance)
    }

    /// Bytes that nothing makes shorter.
    func noise(_ count: Int, _ chance: inout SeededGenerator) -> [UInt8] {
        let words = (0..<(count / 8 + 1)).map { _ in chance.next() }
        let noise = words.withUnsafeBytes { Array(UnsafeRawBufferPointer(rebasing: $0.prefix(count - sign.count))) }
        return sign + noise
    }

    func text(_ count: Int, _ chance: inout SeededGenerator) -> [UInt8] {
        var text = sign
        text.reserveCapacity(count + 16)
        while text.count < count { text += Self.words[Int(chance.next() % UInt64(Self.words.count))] }
        return text
    }

    /// Most of `old` is in it.
    func edit(of old: [UInt8], _ chance: inout SeededGenerator) -> [UInt8] {
        var bytes = old
        let place = Int.random(in: 0...old.count, using: &chance)
        let new = noise(sign.count + (Self.newBytes.randomElement(using: &chance) ?? 0), &chance)
        let end = min(old.count, place + new.count)
        switch old.count < Self.longest ? Int.random(in: 0..<5, using: &chance) : 4 {
        case 0, 1: bytes.insert(contentsOf: new, at: place)
        case 2: bytes += new
        // What stood there stands somewhere else.
        case 3: bytes.insert(contentsOf: new + old[place..<end], at: Int.random(in: 0...old.count, using: &chance))
        default: bytes.replaceSubrange(place..<end, with: new)
        }
        return bytes
    }
}
