import BothyClient
import BothyContract
import Foundation

/// The home of a device that has read so much of its feed, each post with a picture, and is away from its server now.
struct KeptFeed {
    static let reader = User(id: 1, email: "reader@example.org", displayName: "Reader")
    /// Nobody listens there.
    private static let server = "http://127.0.0.1:9"
    private static let authors = 100
    /// Posts of a page; there are as many seconds between two posts as a day has minutes.
    private static let (page, pause) = (100, Int64(1_440))

    let posts: Int
    let seed: UInt64

    /// - Parameter directory: absolute; has no home yet.
    func open(at directory: String) async throws -> DeviceHome {
        try signIn(at: directory)
        let home = try await DeviceHome.open(at: directory)
        try await fill(home.feed)
        return home
    }

    private func signIn(at directory: String) throws {
        let secrets = "\(directory)/secrets"
        try FileManager.default.createDirectory(atPath: secrets, withIntermediateDirectories: true)
        let now = Timestamp(seconds: Int64(Date.now.timeIntervalSince1970))
        let device = Device(
            id: "device-1", name: "bench", platform: "linux", createdAt: now, lastSeenAt: now, current: true)
        try SecretStore(folder: secrets, disk: SystemDisk()).save(
            StoredSession(
                server: ServerAddress(Self.server), user: Self.reader, device: device, accessToken: "token",
                refreshToken: "refresh", obtainedAt: now, expiresIn: 86_400))
    }

    /// As pages of the server's feed come in while somebody reads on to its end.
    private func fill(_ store: FeedStore) async throws {
        let (words, now) = (PostWords(), Int64(Date.now.timeIntervalSince1970))
        var random = SeededRandom(seed: seed)
        var (left, before) = (posts, Int64?.none)
        while left > 0 {
            let feed = (0..<min(Self.page, left)).map { place in
                post(left - place, text: words.text(&random), now: now)
            }
            left -= feed.count
            let next = left > 0 ? String(left) : nil
            try await store.apply(
                FeedApiResponse(feed: feed, paging: PaginationMetadata(next: next, limit: Self.page)),
                before: before, settled: [])
            before = feed.last?.entryId
        }
    }

    /// - Parameter number: that of the newest is `posts`, and that of the oldest 1.
    private func post(_ number: Int, text: String, now: Int64) -> PostPreview {
        let (id, author) = (Int64(number), number % Self.authors)
        let (summary, isCut) = PostText(html: text).summary(length: FeedLimits.summaryLength)
        return PostPreview(
            entryId: id, postId: id, contentSummary: summary.html, isCut: isCut,
            author: AuthorPreview(id: Int64(author + 2), name: "Person \(author)", handle: "person\(author)"),
            createdAt: Timestamp(seconds: now - Int64(posts - number) * Self.pause), liked: false, bookmarked: false,
            likeCount: number % 7, shareCount: number % 3, commentCount: number % 5, attachmentCount: 1,
            attachmentPreviewImageUrl: "/v1/content/\(number)?drive=\(author)&exp=\(now)&sig=Zm9v&quality=medium",
            attachmentPreviewWidth: 1_600, attachmentPreviewHeight: 1_200,
            attachmentPreviewPlaceholder: "3OcRJYB4d3h/iIeHeEh3eIhw+j3A",
            attachmentPreviews: [AttachmentPreview(type: OpenWord(AttachmentType.image))])
    }
}
