import BothyContract
import Testing

@testable import BothyClient

/// The rule by which a search joins what the server finds with what is kept here.
@Suite struct PostFindingsTests {
    private static let offline = ClientFailure(.offline, "There is no way.")

    /// A server and a device, some of whose posts a search finds.
    private struct World {
        /// By their requests, what the person has posted from here; the newest first in all.
        var server = [PostPreview]()
        /// Some of it, and what is not there any more.
        var kept = [PostPreview]()
        var waiting = [PostFindings.Waiting]()
        /// What the server had done when it was asked.
        var settled = Set<Int64>()
        /// What was deleted here, and not yet there.
        var deleted = Set<Int64>()
        var limit: Int

        init(_ chance: inout SeededRandom) {
            limit = 1 + chance.below(4)
            for id in (1...Int64(1 + chance.below(20))).reversed() {
                var post = PostFindingsTests.post(id)
                if chance.below(4) == 0 { post.requestId = "r\(id)" }
                switch chance.below(4) {
                case 0: kept.append(post)
                case 1: server.append(post)
                case 2:
                    server.append(post)
                    kept.append(post)
                default: break
                }
                if chance.below(6) == 0 { deleted.insert(id) }
                // Of some the answer was lost, or has come only now.
                if post.requestId != nil, chance.below(2) == 0 { wait(id, for: "r\(id)", &chance) }
            }
            for id in 100..<Int64(100 + chance.below(3)) { wait(id, for: "w\(id)", &chance) }
        }

        private mutating func wait(_ id: Int64, for request: String, _ chance: inout SeededRandom) {
            let post = WaitingPost(id: id, content: "<p>a</p>", attachmentCount: 0, writtenAt: Timestamp(seconds: id))
            waiting.append(PostFindings.Waiting(post: post, requestId: request))
            if chance.below(3) == 0 { settled.insert(id) }
        }

        private var overlay: FeedOverlay {
            FeedOverlay(
                deleted.map { post in
                    FeedOperation(
                        id: post, requestId: "d\(post)", action: .delete, subject: LUID(post), postId: post,
                        createdAt: Timestamp(seconds: 0))
                })
        }

        func findings(after place: KeptPlace?) -> PostFindings {
            let below = kept.filter { $0.postId < place?.post ?? .max && !deleted.contains($0.postId) }
            return PostFindings(
                place: place, limit: limit, overlay: overlay, kept: Array(below.prefix(limit + 1)), waiting: waiting)
        }

        func answer(after place: String?) -> FeedApiResponse {
            let below = server.filter { $0.postId < place.flatMap { Int64($0) } ?? .max }
            let page = Array(below.prefix(limit))
            let next = below.count > limit ? page.last.map { String($0.postId) } : nil
            return FeedApiResponse(feed: page, paging: PaginationMetadata(next: next, limit: limit))
        }
    }

    private static func post(_ id: Int64) -> PostPreview {
        PostPreview(
            entryId: id, postId: id, contentSummary: "<p>\(id)</p>", isCut: false,
            author: AuthorPreview(id: 7, name: "Ann"), createdAt: Timestamp(seconds: id), liked: false,
            bookmarked: false, likeCount: 0, shareCount: 0, attachmentCount: 0)
    }

    /// All pages, one after the other, until nothing more comes.
    ///
    /// - Parameters:
    ///   - answered: pages that the server answers with at first.
    ///   - away: pages for which it does not answer then.
    private func pages(of world: World, answered: Int, away: Int = .max) throws -> [FeedPage] {
        var (pages, place): ([FeedPage], KeptPlace?) = ([], nil)
        while true {
            let findings = world.findings(after: place)
            let canBeAsked = place == nil || place?.remote != nil
            if canBeAsked, pages.count < answered || pages.count - answered >= away {
                pages.append(findings.page(world.answer(after: place?.remote), settled: world.settled))
            } else {
                pages.append(findings.page(unreached: canBeAsked ? Self.offline : nil))
            }
            guard let next = pages.last?.next else { return pages }
            let following = try #require(KeptPlace(next))
            // Nothing more is kept here, and the server has more.
            if following == place, away == .max { return pages }
            place = following
        }
    }

    @Test func whatIsFoundIsThereOnceInOrderAndNothingThatTheServerSaysIsGone() throws {
        for seed in 0..<2_000 as Range<UInt64> { try checkPages(seed) }
    }

    private func checkPages(_ seed: UInt64) throws {
        var chance = SeededRandom(seed)
        let world = World(&chance)
        let answered = chance.below(6)
        let pages = try pages(of: world, answered: answered)
        let found = pages.flatMap(\.posts).map(\.postId)
        // The server's as far as it answered, and below that what is kept here.
        let asked = pages.prefix(answered)
        let end =
            asked.isEmpty ? Int64.max : asked.last?.next.flatMap(KeptPlace.init)?.post ?? Int64.min
        let there = world.server.map(\.postId).filter { $0 >= end }
        let here = world.kept.map(\.postId).filter { $0 < end }
        #expect(found == (there + here).filter { !world.deleted.contains($0) }, "seed \(seed)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 > $1 }, "seed \(seed)")
        for (index, page) in pages.enumerated() {
            #expect(page.source == (index < answered ? .server : .device), "seed \(seed)")
            #expect((page.unreached != nil) == (index >= answered && (index == 0 || answered > 0)), "seed \(seed)")
            #expect(index == 0 || page.waiting.isEmpty, "seed \(seed)")
        }
        // It does not end as if that were all.
        #expect((pages.last?.next != nil) == (answered > 0 && pages.last?.source == .device), "seed \(seed)")
    }

    @Test func aServerThatAnswersAgainIsAskedFromWhereItStopped() throws {
        for seed in 0..<2_000 as Range<UInt64> { try checkReturn(seed) }
    }

    private func checkReturn(_ seed: UInt64) throws {
        var chance = SeededRandom(seed)
        let world = World(&chance)
        let pages = try pages(of: world, answered: 1 + chance.below(4), away: 1 + chance.below(4))
        let there = pages.filter { $0.source == .server }.flatMap(\.posts).map(\.postId)
        #expect(there == world.server.map(\.postId).filter { !world.deleted.contains($0) }, "seed \(seed)")
    }

    @Test func whatWaitsIsThereUntilTheServerHasIt() {
        for seed in 0..<500 as Range<UInt64> { checkWhatWaits(seed) }
    }

    private func checkWhatWaits(_ seed: UInt64) {
        var chance = SeededRandom(seed)
        let world = World(&chance)
        let findings = world.findings(after: nil)
        let all = world.waiting.map(\.post.id)
        #expect(findings.page(unreached: Self.offline).waiting.map(\.id) == all)
        let answer = world.answer(after: nil)
        let shown = Set(findings.page(answer, settled: world.settled).waiting.map(\.id))
        for waiting in world.waiting {
            let isThere =
                world.settled.contains(waiting.post.id)
                || answer.feed.contains { $0.requestId == waiting.requestId }
            #expect(shown.contains(waiting.post.id) == !isThere, "seed \(seed), \(waiting.requestId)")
        }
    }

    @Test func aPlaceIsReadAsItWasWritten() {
        for place in [KeptPlace(after: 7), KeptPlace(after: 7, remote: "a.b-c"), KeptPlace(after: -1, remote: "x")] {
            #expect(KeptPlace(place.text) == place)
        }
        for text in ["", "kept-", "kept-x", "eyJhIjoxfQ", "7.remote"] { #expect(KeptPlace(text) == nil) }
    }
}
