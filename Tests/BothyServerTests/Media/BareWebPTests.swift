import Testing

@testable import BothyServer

@Suite struct BareWebPTests {
    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        return Array(name.utf8) + (0..<4).map { UInt8(count >> (8 * $0) & 0xFF) } + bytes
            + (count % 2 == 1 ? [0] : [])
    }

    private static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let body = chunks.flatMap { $0 }
        return Array("RIFF".utf8) + (0..<4).map { UInt8((body.count + 4) >> (8 * $0) & 0xFF) } + Array("WEBP".utf8)
            + body
    }

    @Test func onlyThePictureStays() {
        let picture = Self.chunk("VP8 ", [1, 2, 3])
        let told = Self.file([
            Self.chunk("VP8X", [0x3E, 0, 0, 0, 9, 9, 9, 9, 9, 9]), Self.chunk("ICCP", [5]), Self.chunk("ALPH", [6, 6]),
            picture, Self.chunk("EXIF", Array("where it was".utf8)), Self.chunk("XMP ", [1]), Self.chunk("abcd", []),
        ])
        let bare = Self.file([
            Self.chunk("VP8X", [0x12, 0, 0, 0, 9, 9, 9, 9, 9, 9]), Self.chunk("ALPH", [6, 6]), picture,
        ])
        #expect(BareWebP.of(told) == bare && BareWebP.of(bare) == bare)
    }

    /// Whatever comes, nothing of it passes but the chunks of a picture, and what is made is such a file itself.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func nothingElsePasses(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let names = ["VP8 ", "VP8L", "VP8X", "EXIF", "XMP ", "ICCP", "ANMF", "\u{1}\u{2}ab"]
        let chunks = (0..<Int.random(in: 0...6, using: &dice)).map { _ in
            let name = names.randomElement(using: &dice)!
            let bytes = (0..<Int.random(in: 0...9, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
            return (name, bytes)
        }
        var file = Self.file(chunks.map { Self.chunk($0.0, $0.1) })
        let pictures = chunks.filter { ["VP8 ", "VP8L", "VP8X", "ANMF"].contains($0.0) }
        let bare = BareWebP.of(file)
        #expect((bare == nil) == pictures.isEmpty)
        if let bare { #expect(BareWebP.of(bare) == bare) }
        // A cut file is none, or has lost whole chunks alone.
        file.removeLast(Int.random(in: 0...file.count, using: &dice))
        if let bare = BareWebP.of(file) { #expect(BareWebP.of(bare) == bare) }
    }

    @Test(arguments: ["", "RIFF", "RIFF1234WEBP", "RIFF1234WEBPVP8 ", "RIFF1234WAVEVP8 \u{0}\u{0}\u{0}\u{0}"])
    func whatIsNoneIsNone(_ text: String) {
        #expect(BareWebP.of(Array(text.utf8)) == nil)
    }
}
