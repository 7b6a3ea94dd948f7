import Testing

@testable import BothyContent

@Suite struct PictureCleaningTests {
    private static let pictures: [(made: [UInt8], turned: [UInt8])] = [
        (MadePictures.jpeg(), MadePictures.jpeg(orientation: 6)),
        (MadePictures.png(), MadePictures.png(orientation: 6)),
        (MadePictures.webp(), MadePictures.webp(orientation: 6)), (MadePictures.gif(), MadePictures.gif()),
        (MadePictures.heif(), MadePictures.heif(isTurned: true)),
        (MadePictures.heif(brand: "avif"), MadePictures.heif(isTurned: true, brand: "avif")),
    ]

    private static func holds(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text) }
    }

    @Test(arguments: pictures.flatMap { [$0.made, $0.turned] })
    func nothingThatCamerasWriteIsLeft(_ picture: [UInt8]) throws {
        #expect(Self.holds(picture, MadePictures.secret))
        let clean = try #require(PictureCleaning.plan(picture)).apply(to: picture)
        #expect(!Self.holds(clean, MadePictures.secret))
        // It is such a picture still, as large, held alike, and clean for good.
        #expect(PictureHead.read(clean) == PictureHead.read(picture))
        #expect(try #require(PictureCleaning.plan(clean)).apply(to: clean) == clean)
    }

    @Test func coloursStay() throws {
        let jpeg = try #require(PictureCleaning.plan(MadePictures.jpeg())).apply(to: MadePictures.jpeg())
        #expect(Self.holds(jpeg, Array("ICC_PROFILE".utf8)) && jpeg.suffix(2) == [0xFF, 0xD9])
        let png = try #require(PictureCleaning.plan(MadePictures.png())).apply(to: MadePictures.png())
        #expect(Self.holds(png, Array("iCCP".utf8)))
        let webp = try #require(PictureCleaning.plan(MadePictures.webp())).apply(to: MadePictures.webp())
        #expect(Self.holds(webp, Array("ICCP".utf8)))
    }

    @Test func whatIsNotWholeOrNotKnownIsNotCleaned() {
        for bytes in [
            [], Array("II*\0".utf8) + [8, 0, 0, 0], Array(MadePictures.png().prefix(60)),
            Array(MadePictures.heif().prefix(90)),
        ] {
            #expect(PictureCleaning.plan(bytes) == nil)
        }
    }

    @Test(arguments: [
        ("II*\0abc", true), ("....Exif\0..", true), ("<x:xmpmeta>", true), ("FUJIFILMCCD-RAW", true),
        ("plain words", false), ("", false),
    ])
    func whatNobodyKnowsIsSearchedForSigns(_ text: String, _ hasSigns: Bool) {
        #expect(Array(text.utf8).withUnsafeBytes { PictureCleaning.hasSigns(MediaBytes($0)) } == hasSigns)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func aRangeIsCutOutOfTheWhole(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let picture = Self.pictures.randomElement(using: &dice)!.turned
        let plan = try #require(PictureCleaning.plan(picture))
        let whole = plan.apply(to: picture)
        let start = Int.random(in: 0..<whole.count, using: &dice)
        let end = Int.random(in: start..<whole.count, using: &dice)
        let part = plan.pieces(in: Int64(start)..<Int64(end)).flatMap { piece -> [UInt8] in
            switch piece {
            case .kept(let range): Array(picture[Int(range.lowerBound)..<Int(range.upperBound)])
            case .written(let bytes): bytes
            case .blank(let count): [UInt8](repeating: 0, count: Int(count))
            }
        }
        #expect(part == Array(whole[start..<end]))
    }

    // MARK: - Films

    private func cleaned(_ film: [UInt8]) throws -> [UInt8] {
        let plan = film.withUnsafeBytes { raw -> CleaningPlan? in
            let bytes = MediaBytes(raw)
            guard let boxes = IsoBox.list(bytes, 0..<bytes.count, isLast: true),
                let moov = boxes.first(where: { $0.is("moov") })
            else { return nil }
            return FilmCleaning.plan(size: Int64(film.count), boxes: boxes, moov: bytes.slice(moov.start..<moov.end)!)
        }
        return try #require(plan).apply(to: film)
    }

    @Test func aFilmSaysNotWhereItWasTaken() throws {
        let film = MadePictures.film()
        let clean = try cleaned(film)
        #expect(Self.holds(film, MadePictures.secret) && !Self.holds(clean, MadePictures.secret))
        #expect(clean.count == film.count && Self.holds(clean, Array("picture or soundpicture or sound".utf8)))
        #expect(try cleaned(clean) == clean)
    }

    @Test func aFilmSaysHowLargeAndLongItIs() throws {
        let film = MadePictures.film()
        let moov = try #require(film.indices.first { film[$0...].starts(with: Array("moov".utf8)) }) - 4
        let head = try #require(FilmHead.iso(moov: Array(film[moov...])))
        #expect(head == FilmHead(width: 1080, height: 1920, durationMs: 2500, codecs: ["avc1", "mp4a"]))
    }
}
