import Testing

@testable import BothyContent

@Suite struct MatroskaCleaningTests {
    /// - Parameter window: bytes that are shown at once.
    private static func plan(_ film: [UInt8], window: Int = MatroskaCleaning.window) -> CleaningPlan? {
        var walk = MatroskaCleaning(size: Int64(film.count))
        while let place = walk.place { walk.see(Array(film[Int(place)...].prefix(window))) }
        return walk.plan
    }

    private static func holds(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text) }
    }

    @Test(arguments: [false, true], [256, 1 << 16])
    func whatDescribesBecomesVoidAndTheRestKeepsItsPlace(_ isLive: Bool, _ window: Int) throws {
        let film = MadePictures.matroska(isLive: isLive)
        let plan = try #require(Self.plan(film, window: window))
        let clean = plan.apply(to: film)
        #expect(Self.holds(film, MadePictures.secret) && !Self.holds(clean, MadePictures.secret))
        #expect(clean.count == film.count && Self.holds(clean, Array("picture or sound".utf8)))
        #expect(FilmHead.matroska(beginning: clean) == FilmHead.matroska(beginning: film))
        #expect(try #require(Self.plan(clean)).apply(to: clean) == clean)
    }

    /// A drone writes as subtitles where it was.
    @Test func oneWithMoreThanPictureAndSoundIsNotCleaned() {
        #expect(Self.plan(MadePictures.matroska(track: 2)) != nil)
        for track: UInt8 in [0, 3, 17, 33] { #expect(Self.plan(MadePictures.matroska(track: track)) == nil) }
    }

    @Test func whatIsCutOrNoFilmIsNotCleaned() {
        let film = MadePictures.matroska()
        for bytes in [Array(film.prefix(film.count - 1)), Array(film.prefix(40)), [], [0x1A, 0x45, 0xDF, 0xA3]] {
            #expect(Self.plan(bytes) == nil)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func whateverStandsThereItComesToAnEnd(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var film = MadePictures.matroska(isLive: seed % 2 == 0)
        for _ in 0..<Int.random(in: 1...8, using: &dice) {
            film[Int.random(in: film.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        if let plan = Self.plan(film) { #expect(plan.size == film.count) }
    }
}
