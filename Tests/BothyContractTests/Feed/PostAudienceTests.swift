import BothyContract
import Foundation
import Testing

@Suite struct PostAudienceTests {
    @Test(arguments: ["friends", "EVERYONE", "", "everyone "])
    func aKindOfALaterReleaseIsReadAsTheNarrowest(_ kind: String) throws {
        let json = Data("{\"kind\":\"\(kind)\",\"circle\":1}".utf8)
        #expect(try WireCoding.decode(PostAudience.self, from: json) == PostAudience(kind: .people))
        #expect(throws: DecodingError.self) { try WireCoding.decode(NewPostAudience.self, from: json) }
    }

    @Test(arguments: PostAudience.Kind.allCases)
    func whatIsKnownIsReadAsItIsWritten(_ kind: PostAudience.Kind) throws {
        let audience = PostAudience(kind: kind, people: [AuthorPreview(id: 1, name: "a")], conversationId: 2)
        #expect(try WireCoding.decode(PostAudience.self, from: WireCoding.encode(audience)) == audience)
        let asked = NewPostAudience(kind: kind, people: [1])
        #expect(try WireCoding.decode(NewPostAudience.self, from: WireCoding.encode(asked)) == asked)
    }

    @Test(arguments: [
        ("1", "1"), ("9007199254740991", "9007199254740991"), ("\"a\"", "a"), ("\"0\"", "0"), ("null", nil),
    ])
    func aRequestIdIsTextOrANumber(_ written: String, _ read: String?) throws {
        let json = Data("{\"requestId\":\(written),\"type\":\"LIKED\"}".utf8)
        #expect(try WireCoding.decode(PostInteractionRequest.self, from: json).requestId == read)
    }

    @Test(arguments: ["0", "-1", "9007199254740992", "1.5", "true", "[1]", "{}"])
    func anotherRequestIdIsRefused(_ written: String) {
        let json = Data("{\"requestId\":\(written),\"type\":\"LIKED\"}".utf8)
        #expect(throws: DecodingError.self) { try WireCoding.decode(PostInteractionRequest.self, from: json) }
    }
}
