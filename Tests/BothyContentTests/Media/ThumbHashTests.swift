import Testing

@testable import BothyContent

@Suite struct ThumbHashTests {
    private static func plain(_ width: Int, _ height: Int, _ point: [UInt8]) -> [UInt8] {
        (0..<width * height).flatMap { _ in point }
    }

    /// As the author's own code has it (JavaScript, `rgbaToThumbHash`). Half a step may be rounded either way.
    @Test func aGradientIsAsTheReferenceHasIt() throws {
        let rgb = (0..<16).flatMap { row in
            (0..<24).flatMap { column in [UInt8(column * 10), UInt8(row * 15), UInt8(128)] }
        }
        let hash = try #require(ThumbHash.of(width: 24, height: 16, rgb: rgb))
        #expect(hash.count == Self.reference.count)
        for (made, expected) in zip(hash, Self.reference) {
            #expect(abs(Int(made >> 4) - Int(expected >> 4)) <= 1 && abs(Int(made & 15) - Int(expected & 15)) <= 1)
        }
    }

    private static let reference: [UInt8] = [
        157, 7, 10, 53, 152, 112, 119, 119, 112, 120, 120, 135, 136, 120, 135, 135, 112, 112, 7, 247, 136,
    ]

    @Test func aPlainPictureIsItsColour() throws {
        let hash = try #require(ThumbHash.of(width: 10, height: 10, rgb: Self.plain(10, 10, [255, 255, 255])))
        #expect(hash[0] & 63 == 63)
        #expect((5...25).contains(hash.count))
    }

    @Test func sidesHaveBounds() {
        #expect(
            ThumbHash.of(width: 0, height: 1, rgb: []) == nil
                && ThumbHash.of(width: 101, height: 1, rgb: Self.plain(101, 1, [0, 0, 0])) == nil)
        #expect(ThumbHash.of(width: 2, height: 2, rgb: [1, 2, 3]) == nil)
    }

    /// Whatever the picture, the hash has the same few bytes.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func anyPictureHasAFewBytes(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let (width, height) = (Int.random(in: 1...32, using: &dice), Int.random(in: 1...32, using: &dice))
        let rgb = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &dice) }
        let hash = try #require(ThumbHash.of(width: width, height: height, rgb: rgb))
        #expect((11...25).contains(hash.count))
        #expect((hash[4] & 0x80 != 0) == (width > height))
    }

    @Test(arguments: [
        ("P6\n2 1\n255\n", 6, true), ("P6 # words\n2 1 255 ", 6, true), ("P5\n2 3\n255\n", 6, true),
        ("P6\n2 1\n255\n", 5, false), ("P6\n9 9\n65535\n", 6, false), ("P6\n-1 1\n255\n", 6, false), ("P3\n", 6, false),
        ("P6", 0, false),
    ])
    func aPixmapIsRead(_ head: String, _ count: Int, _ isWhole: Bool) {
        #expect((PortablePixmap(Array(head.utf8) + [UInt8](repeating: 7, count: count)) != nil) == isWhole)
    }
}
