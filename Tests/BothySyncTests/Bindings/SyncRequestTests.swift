import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// Under which id an action was begun, until its answer is written down: so that after a crash it is known for what it was.
@Suite struct SyncRequestTests {
    let folder: TemporaryFolder
    let store: BindingStore

    init() throws {
        folder = try TemporaryFolder()
        store = BindingStore(database: try ClientDatabase(path: folder.file("client.sqlite")))
    }

    private static let binding = Binding(
        id: "b1", localPath: "/box", remoteId: "f0", remotePath: "/box", accountId: "a", mark: "m",
        root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: [],
        createdAt: Timestamp(seconds: 5))

    /// A file that is being brought here, and one that is being sent.
    private static let theirs = RemoteFingerprint(
        RemoteFacts(
            id: "f1", kind: .file, headRevisionId: "r1", checksum: PlannedWorld.hash(1), size: 1,
            modifiedAt: Timestamp(seconds: 5, nanoseconds: 123_456_789), version: 7))
    private static let mine = LocalFingerprint(
        LocalFacts(kind: .file, stamp: LocalStamp(inode: .max, size: 2), hash: PlannedWorld.hash(2)))
    private static let download = Action(
        .download(at: Spot("a", folderId: "root", remoteName: "a"), theirs: theirs, over: mine), .editedThere)
    private static let upload = Action(
        .upload(at: Spot("b", folderId: nil, remoteName: "b"), mine: mine, over: nil, insteadOf: "old"), .createdHere)

    @discardableResult
    private func begin(_ action: Action, _ key: String, orElse fresh: String, in binding: String = "b1") async throws
        -> String
    {
        let beginning = BindingStore.Beginning(action: try JSONColumn.text(action), key: key, fresh: fresh)
        return try await store.requestIds(of: [beginning], binding: binding)[0]
    }

    @Test func theSameActionIsAskedUnderTheSameIdUntilItIsAnswered() async throws {
        #expect(try await begin(Self.download, "k1", orElse: "first") == "first")
        #expect(try await begin(Self.download, "k1", orElse: "second") == "first")
        #expect(try await begin(Self.upload, "k2", orElse: "other") == "other")
        try await store.forgetRequest("k1", binding: "b1")
        #expect(try await begin(Self.download, "k1", orElse: "third") == "third")
    }

    @Test func whatIsBegunTogetherHasItsOrderAndWhatWasBegunBeforeItsId() async throws {
        try await begin(Self.download, "k2", orElse: "old")
        let beginnings = try ["k3", "k2", "k1"].map {
            BindingStore.Beginning(action: try JSONColumn.text(Self.download), key: $0, fresh: "new \($0)")
        }
        #expect(try await store.requestIds(of: beginnings, binding: "b1") == ["new k3", "old", "new k1"])
        #expect(try await store.unanswered(binding: "b1").map(\.key) == ["k2", "k3", "k1"])
    }

    /// What was put in place here is known again by what it was to bring, down to the nanosecond.
    @Test func whatWasBegunIsToldInItsOrderAndWhole() async throws {
        try await begin(Self.upload, "k2", orElse: "r2")
        try await begin(Self.download, "k1", orElse: "r1")
        try await begin(Self.download, "k3", orElse: "r3")
        try await begin(Self.download, "k1", orElse: "r4", in: "b2")
        #expect(
            try await store.unanswered(binding: "b1") == [
                Unanswered(key: "k2", requestId: "r2", action: Self.upload),
                Unanswered(key: "k1", requestId: "r1", action: Self.download),
                Unanswered(key: "k3", requestId: "r3", action: Self.download),
            ])
    }

    @Test func anAnswerIsWrittenDownWithWhatItSettles() async throws {
        try await begin(Self.download, "k1", orElse: "r1")
        try await begin(Self.upload, "k2", orElse: "r2")
        let pass = try await store.beginPass(of: "b1", at: Timestamp(seconds: 1), lived: 10, isConfirmed: false)
        let decision = Decision(passId: pass.id, at: Timestamp(seconds: 1), action: Self.download, trace: .init())
        try await store.settle(
            [SettledStep(decision, SettledRows(), of: SyncedTree(rootId: "root"), answered: "k1")], binding: "b1")
        #expect(try await store.unanswered(binding: "b1").map(\.key) == ["k2"])
    }

    @Test func moreThanAreKeptGiveUpTheOldestOfTheirFolderAlone() async throws {
        try await begin(Self.upload, "other", orElse: "r", in: "b2")
        for number in 0...SyncRequestTable.mostKept {
            try await begin(Self.download, "k\(number)", orElse: "r\(number)")
        }
        try await store.pruneRequests(binding: "b1")
        let kept = try await store.unanswered(binding: "b1")
        #expect(kept.count == SyncRequestTable.mostKept && kept.first?.key == "k1")
        #expect(try await store.unanswered(binding: "b2").count == 1)
    }

    @Test func aFolderThatIsUntiedForgetsWhatItHadBegun() async throws {
        try await begin(Self.download, "k1", orElse: "r1")
        try await begin(Self.upload, "k2", orElse: "r2", in: "b2")
        try await store.untie(Self.binding, at: Timestamp(seconds: 1))
        #expect(try await store.unanswered(binding: "b1").isEmpty)
        #expect(try await store.unanswered(binding: "b2").count == 1)
    }
}
