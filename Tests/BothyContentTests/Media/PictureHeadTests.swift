import Testing

@testable import BothyContent

@Suite struct PictureHeadTests {
    private static func tiff(isBig: Bool) -> [UInt8] {
        let number = isBig ? MadePictures.big : MadePictures.little
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        return Array((isBig ? "MM\0*" : "II*\0").utf8) + number(8, 4) + number(3, 2) + entry(0x100, 30)
            + entry(0x101, 40) + entry(0x112, 6)
            + number(0, 4)
    }

    @Test(
        arguments: [
            MadePictures.jpeg(), MadePictures.png(), MadePictures.webp(), MadePictures.gif(), MadePictures.heif(),
            MadePictures.heif(brand: "avif"), MadePictures.jpeg(width: 30, height: 40, orientation: 6),
            MadePictures.png(width: 30, height: 40, orientation: 8),
            MadePictures.webp(width: 30, height: 40, orientation: 5),
            MadePictures.heif(width: 30, height: 40, isTurned: true), tiff(isBig: true), tiff(isBig: false),
        ])
    func aPictureSaysHowLargeItStands(_ picture: [UInt8]) {
        #expect(PictureHead.read(picture) == PictureHead(width: 40, height: 30))
    }

    @Test func whatIsMeantToTakeAllMemorySaysSo() throws {
        #expect(
            try #require(PictureHead.read(MadePictures.jpeg(width: 65_535, height: 65_535))).points == 65_535 * 65_535)
        #expect(try #require(PictureHead.read(MadePictures.heif(width: 100_000, height: 100_000))).points > 300_000_000)
        #expect(PictureHead.read(MadePictures.png(width: Int(UInt32.max), height: 1)) == nil)
        #expect(PictureHead.read(MadePictures.png(width: 0, height: 1)) == nil)
    }

    /// Whatever comes, it is read to an end, and never past its own.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func whateverComesIsReadToAnEnd(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for whole in [
            MadePictures.jpeg(), MadePictures.png(), MadePictures.webp(), MadePictures.gif(), MadePictures.heif(),
            MadePictures.film(),
            Self.tiff(isBig: true),
        ] {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = [
                    0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &dice),
                ].randomElement(using: &dice)!
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &dice))
            if let head = PictureHead.read(bytes) { #expect(head.width > 0 && head.height > 0 && head.points > 0) }
            if let plan = PictureCleaning.plan(bytes) { check(plan, of: bytes) }
            _ = FilmHead.iso(moov: bytes)
            _ = FilmHead.matroska(beginning: [0x1A, 0x45, 0xDF, 0xA3] + bytes)
            bytes.withUnsafeBytes { raw in
                let bytes = MediaBytes(raw)
                if let boxes = IsoBox.list(bytes, 0..<bytes.count, isLast: true),
                    let moov = boxes.first(where: { $0.is("moov") })
                {
                    let film = FilmCleaning.plan(
                        size: Int64(raw.count), boxes: boxes, moov: bytes.slice(moov.start..<moov.end)!)
                    if let film { check(film, of: Array(raw)) }
                }
            }
        }
    }

    private func check(_ plan: CleaningPlan, of bytes: [UInt8]) {
        for case .kept(let range) in plan.pieces { #expect(range.lowerBound >= 0 && range.upperBound <= bytes.count) }
        #expect(plan.apply(to: bytes).count == plan.size)
    }
}
