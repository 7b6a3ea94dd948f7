import BothyContract
import Testing

@testable import BothyContent
@testable import BothyServer

/// What is played in the place of a film.
@Suite struct FilmNeedTests {
    @Test(
        arguments: [
            // What every browser plays, and is no larger, stays as it is.
            (.p720, "video/mp4", 1280, 720, ["avc1", "mp4a"], .itself),
            (.p720, "video/mp4; codecs=avc1", 720, 1280, ["avc1"], .itself),
            (.p720, "video/webm", 640, 360, ["V_VP9", "A_OPUS"], .itself),
            (.p1080, "video/mp4", 1920, 1080, ["avc1", "mp4a"], .itself),
            // What is larger is made smaller.
            (.p360, "video/mp4", 1280, 720, ["avc1", "mp4a"], .made),
            (.p720, "video/mp4", 1080, 1920, ["avc1", "mp4a"], .made),
            (.p1080, "video/mp4", 3840, 2160, ["avc1", "mp4a"], .made),
            // What not every browser plays is made so that all do, in the least size that is as large.
            (.p720, "video/mp4", 1280, 720, ["hvc1", "mp4a"], .made),
            (.p720, "video/mp4", 1280, 720, ["avc1", "ac-3"], .made),
            (.p720, "video/quicktime", 1280, 720, ["avc1", "mp4a"], .made),
            (.p720, "video/mp4", 1280, 720, [], .made),
            (.p1080, "video/x-matroska", 1280, 720, ["V_MPEG4/ISO/AVC"], .smaller(.p720)),
            (.p1080, "video/quicktime", 480, 320, ["hvc1"], .smaller(.p360)),
            (.p360, "video/quicktime", 480, 320, ["hvc1"], .made),
            (.p1080, "video/quicktime", 3840, 2160, ["hvc1"], .made),
        ] as [(FilmQuality, String, Int, Int, [String], FilmNeed)])
    func aFilmIsMadeWhereItIsLargerOrNotPlayed(
        quality: FilmQuality, mimeType: String, width: Int, height: Int, codecs: [String], need: FilmNeed
    ) {
        let head = FilmHead(width: width, height: height, durationMs: 1000, codecs: codecs)
        #expect(FilmNeed(quality, mimeType: mimeType, head: head) == need)
    }

    @Test func whatSaysNothingOfItselfIsMade() {
        for head in [nil, FilmHead(codecs: ["avc1"])] as [FilmHead?] {
            #expect(FilmNeed(.p720, mimeType: "video/mp4", head: head) == .made)
        }
    }

    @Test func whatIsKnownOfAFilmIsFoundAgain() throws {
        let place = try TemporaryFolder()
        let folder = MediaFolder(path: place.file("media"))
        let now = Timestamp(milliseconds: 0)
        let checksum = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        let keys = FilmQuality.allCases.map { FilmKey(drive: 1, checksum: checksum, quality: $0) }
        #expect(keys.allSatisfy { folder.find($0, now: now) == nil })
        try folder.note(nil, for: keys[0])
        try folder.note(.p720, for: keys[2])
        guard case .instead(nil) = folder.find(keys[0], now: now),
            case .instead(.p720) = folder.find(keys[2], now: now)
        else {
            Issue.record("what serves in its place is forgotten")
            return
        }
        let entries = try folder.shelves().flatMap { try folder.entries(on: $0) }
        #expect(entries.map(\.checksum) == [checksum, checksum], "they go with the content")
    }
}
