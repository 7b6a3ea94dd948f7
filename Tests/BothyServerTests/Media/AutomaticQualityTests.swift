import BothyContract
import HTTPTypes
import Testing

@testable import BothyServer

@Suite struct AutomaticQualityTests {
    private static func told(_ fields: [String: String]) -> AutomaticQuality {
        var headers = HTTPFields()
        for (name, value) in fields { headers[HTTPField.Name(name)!] = value }
        return AutomaticQuality(headers)
    }

    @Test(
        arguments: [
            ([:], .high), (["Save-Data": "on"], .low), (["Save-Data": "off"], .high), (["ECT": "2g"], .low),
            (["ECT": "slow-2g"], .low),
            (["ECT": "3g"], .medium), (["ECT": "4g"], .high), (["Downlink": "0.4"], .low),
            (["Downlink": "1.5"], .medium),
            (["Downlink": "10"], .high), (["Downlink": "nonsense"], .high), (["ECT": "4g", "Save-Data": "on"], .low),
        ] as [([String: String], MediaQuality)])
    func aConnectionDecides(_ fields: [String: String], _ quality: MediaQuality) {
        #expect(Self.told(fields).quality == quality)
    }

    @Test(
        arguments: [
            (nil, .webp), ("*/*", .webp), ("image/avif,image/webp,image/*", .webp), ("image/jpeg", .jpeg),
            ("image/jpeg, */*;q=0.5", .jpeg),
            ("image/*", .webp), ("image/webp;q=0, image/jpeg", .jpeg), ("text/html", .webp),
            ("image/jpeg, image/webp", .webp),
        ] as [(String?, PictureEncoding)])
    func whoAsksSaysWhatComes(_ accept: String?, _ encoding: PictureEncoding) {
        #expect(PictureEncoding(accept: accept) == encoding)
    }

    @Test func theNearestIsTheNextLargerOne() {
        #expect(MediaQuality.medium.nearest == [.high, .low] && MediaQuality.low.nearest == [.medium, .high])
        #expect(MediaQuality.high.nearest == [.medium, .low])
        #expect(FilmQuality.p720.nearest == [.p360, .p1080])
    }
}
