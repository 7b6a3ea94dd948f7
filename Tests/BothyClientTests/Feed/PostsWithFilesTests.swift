import BothyContract
import Synchronization
import Testing

@testable import BothyClient

/// A post whose picture has not reached the server: the post waits for it, whatever is lost on the way.
@Suite struct PostsWithFilesTests {
    /// A server of posts that takes each request once.
    private final class PaperPosts: Sendable {
        let taken = Mutex([(requestId: String, addresses: [String])]())
        let lostAnswers = Mutex(0)

        func perform(_ operation: FeedOperation) throws -> FeedAnswer {
            guard case .publish(let request) = operation.action else { return FeedAnswer() }
            taken.withLock { taken in
                taken.append((operation.requestId, (request.attachments ?? []).map(\.contentUrl)))
            }
            let isLost = lostAnswers.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if isLost { throw ClientFailure(.offline, "The answer is lost.") }
            return FeedAnswer(post: 7)
        }
    }

    private let drive = PaperDrive()
    private let posts = PaperPosts()
    private let replica: TestReplica
    private let feed: FeedStore

    init() throws {
        replica = try TestReplica(drive)
        feed = FeedStore(replica: { [replica] in replica.store }, settings: try .inMemory(), clock: replica.clock)
    }

    /// As a process that is started anew has it.
    private func runner(alone: Bool = false) -> JournalRunner {
        JournalRunner(
            store: replica.store, drive: replica.provider, domains: [FeedDomain { [posts] in try posts.perform($0) }],
            alone: alone, clock: replica.clock, chance: { 0.5 })
    }

    private func write(_ text: String, showing file: LUID) async throws -> FeedOperation {
        let attachment = NewAttachment(type: .image, file: file)
        return try await feed.record(
            .publish(NewPostRequest(requestId: "p", content: text, attachments: [attachment])), requestId: "p")
    }

    @Test func itIsSentAfterItsPictureAndShowsThatVersionOfIt() async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        _ = try await write("<p>a</p>", showing: picture)
        #expect(try await feed.waiting().map(\.files) == [WaitingFiles(count: 1, bytes: 3)])
        #expect(try await runner().push() == .done)
        let head = try #require(drive.files.first { $0.name == "hut.png" }?.headRevisionId)
        #expect(posts.taken.withLock { $0.map(\.addresses) } == [["/v1/content/\(head)"]])
        #expect(try await feed.waiting().isEmpty)
    }

    /// Whoever sends likes alone had sent a post before its picture was there.
    @Test func whoSendsTheFeedAloneLeavesItWaiting() async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        let post = try await write("<p>a</p>", showing: picture)
        _ = try await feed.record(.interact(post: 5, .liked), requestId: "l")
        #expect(try await runner(alone: true).push() == .done)
        let left = try #require(try await feed.operation(post.id))
        #expect(left.state == .queued && !left.sent && posts.taken.withLock { $0.isEmpty })
        #expect(try await feed.operations().map(\.id) == [post.id], "the like went")
    }

    @Test(arguments: [0, 1, 2], [0, 1, 2])
    func whateverAnswerIsLostItIsPostedOnceAndItsPictureIsThereOnce(files: Int, feed lost: Int) async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        _ = try await write("<p>a</p>", showing: picture)
        drive.faults.lostAnswers = files
        posts.lostAnswers.withLock { $0 = lost }
        for _ in 0..<8 {
            // Each time another process, on what the one before has written.
            _ = try await runner().push()
            try await replica.pull()
            replica.clock.jump(seconds: 600)
        }
        #expect(try await feed.waiting().isEmpty)
        #expect(drive.files.filter { $0.name.hasPrefix("hut") }.count == 1)
        let taken = posts.taken.withLock { $0 }
        #expect(taken.count == lost + 1 && Set(taken.map(\.requestId)) == ["p"])
        #expect(Set(taken.map(\.addresses)).count == 1, "it says the same each time")
    }

    @Test func whatWasWrittenBeforeGoesToTheFront() async throws {
        try await replica.pull()
        _ = try await replica.put("film.mkv", [9])
        let picture = try await replica.put("hut.png", [1, 2, 3])
        _ = try await write("<p>a</p>", showing: picture)
        var machine = JournalMachine(try await replica.store.journal(), width: 1)
        let first = machine.next(now: replica.clock.now())
        #expect(first.map { $0.facts.subject } == [picture])
    }

    @Test func aPictureThatWasGivenUpLeavesThePostToItsAuthor() async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        let post = try await write("<p>a</p>", showing: picture)
        let upload = try #require(try await replica.store.operations().first)
        _ = try await replica.recorder.discard(upload.id)
        #expect(try await runner().push() == .done)
        let parked = try #require(try await feed.operation(post.id))
        #expect(parked.state == .parked && parked.lastError?.remedy.contains("--detach") == true)
        try await feed.rewrite(post.id, WaitingPost.Change(isDetached: true), isUnderWay: false)
        #expect(try await runner().push() == .done)
        #expect(posts.taken.withLock { $0.map(\.addresses) } == [[]])
    }

    @Test func itGoesWithoutWhatWaitsAlsoWhileSomebodySends() async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        let post = try await write("<p>a</p>", showing: picture)
        drive.faults.offline = true
        let sender = runner()
        _ = try await sender.push()
        try await feed.rewrite(post.id, WaitingPost.Change(isDetached: true), isUnderWay: false)
        drive.faults.offline = false
        drive.faults.refusals = [ClientFailure(.refused, "No room.")]
        try await sender.wake()
        _ = try await sender.push()
        #expect(posts.taken.withLock { $0.map(\.addresses) } == [[]])
    }

    @Test func aPostOfAPictureAloneGoesWithoutItWhereItGetsATextInTheSameMoment() async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        let post = try await write("", showing: picture)
        try await feed.rewrite(post.id, WaitingPost.Change(content: "<p>b</p>", isDetached: true), isUnderWay: false)
        let waiting = try await feed.waiting()
        #expect(waiting.map(\.content) == ["<p>b</p>"] && waiting.map(\.files) == [nil])
    }

    @Test func whatWaitsForNoFileIsNotChangedAtAllWhereItIsToGoWithoutOne() async throws {
        let post = try await feed.record(
            .publish(NewPostRequest(requestId: "p", content: "<p>a</p>")), requestId: "p")
        let failure = await #expect(throws: ClientFailure.self) {
            try await feed.rewrite(
                post.id, WaitingPost.Change(content: "<p>b</p>", isDetached: true), isUnderWay: false)
        }
        #expect(failure?.code == .notFound)
        #expect(try await feed.waiting().map(\.content) == ["<p>a</p>"])
    }

    @Test func theWarningBeforeAPostThatWaitsIsSetAndTakenAwayAndACommentHasNone() async throws {
        let post = try await feed.record(
            .publish(NewPostRequest(requestId: "p", content: "<p>a</p>")), requestId: "p")
        for (typed, kept) in [("Steep", "Steep"), (nil, "Steep"), ("", nil)] as [(String?, String?)] {
            try await feed.rewrite(post.id, WaitingPost.Change(contentWarning: typed), isUnderWay: false)
            #expect(try await feed.waiting().map(\.contentWarning) == [kept])
            #expect(try await feed.waiting().map(\.content) == ["<p>a</p>"])
        }
        let comment = try await feed.record(
            .comment(post: 5, NewCommentRequest(requestId: "c", content: "<p>b</p>")), requestId: "c")
        let failure = await #expect(throws: ClientFailure.self) {
            try await feed.rewrite(
                comment.id, WaitingPost.Change(content: "<p>c</p>", contentWarning: "Steep"), isUnderWay: false)
        }
        #expect(failure?.code == .refused)
        #expect(try await feed.waiting().map(\.content) == ["<p>a</p>", "<p>b</p>"])
    }

    @Test func withoutItsPicturesAPostWithoutWordsIsNothing() async throws {
        try await replica.pull()
        let picture = try await replica.put("hut.png", [1, 2, 3])
        let post = try await write("", showing: picture)
        let failure = await #expect(throws: ClientFailure.self) {
            try await feed.rewrite(post.id, WaitingPost.Change(isDetached: true), isUnderWay: false)
        }
        #expect(failure?.code == .refused)
        #expect(try await feed.waiting().map(\.files?.count) == [1])
    }
}
