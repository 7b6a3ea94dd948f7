import BothyContract
import Foundation
import Testing

/// The schemas of `openapi.yaml` name exactly the fields that our wire types write.
@Suite struct WireTypesMatchSchemasTests {
    @Test(arguments: WireSample.all)
    func schemaHasTheFieldsOfTheType(sample: WireSample) throws {
        let schema = try OpenAPIDocument().schema(sample.schema)
        let properties = try #require(schema["properties"] as? [String: Any])
        #expect(Set(properties.keys) == (try sample.fields(of: sample.full)))
    }

    @Test(arguments: WireSample.all)
    func schemaRequiresWhatTheTypeRequires(sample: WireSample) throws {
        let schema = try OpenAPIDocument().schema(sample.schema)
        let required = (schema["required"] as? [String]) ?? []
        #expect(Set(required) == (try sample.fields(of: sample.least)))
    }
}

/// A wire type with everything set, and with nothing set that can be absent.
struct WireSample: CustomTestStringConvertible, Sendable {
    var schema: String
    var full: any Encodable & Sendable
    var least: any Encodable & Sendable

    var testDescription: String { schema }

    func fields(of value: any Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: WireCoding.encode(value))
        return Set(try #require(object as? [String: Any]).keys)
    }

    init<Value: Encodable & Sendable>(_ schema: String, _ full: Value, _ least: Value? = nil) {
        self.schema = schema
        self.full = full
        self.least = least ?? full
    }

    static var all: [WireSample] { accounts + files + uploads + changes + feed }

    private static let time = Timestamp(milliseconds: 0)
    private static let hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))!
    private static let block = BlockReference(sha256: hash, size: 1)
    private static let lastPage = PaginationMetadata(next: nil, limit: 1)
    private static let user = User(id: 1, email: "e", displayName: "d")
    private static let description = DeviceDescription(name: "n", platform: "p")
    private static let device = Device(
        id: "d", name: "n", platform: "p", createdAt: time, lastSeenAt: time, current: true)
    private static let leastFile = File(
        id: "f", name: "n", mimeType: "m", size: 0, parentId: nil, version: 1, createdAt: time, modifiedAt: time,
        updatedAt: time)
    private static let fullFile = File(
        id: "f", name: "n", mimeType: "m", size: 0, parentId: "p", downloadUrl: "u", checksum: hash,
        headRevisionId: "r", version: 1, createdAt: time, modifiedAt: time, updatedAt: time, trashedAt: time,
        requestId: "q", deviceId: "d", media: Media(kind: .photo, takenAt: time, width: 1, height: 1))
    private static func revision(deviceId: String?) -> FileRevision {
        FileRevision(
            revisionId: "r", fileId: "f", mimeType: "m", size: 0, modifiedAt: time, createdAt: time,
            deviceId: deviceId, downloadUrl: "u", checksum: hash)
    }

    private static let author = AuthorPreview(id: 1, name: "a")
    private static let medium = Attachment(
        id: 1, type: .image, contentUrl: "u", previewImageUrl: "p", caption: "c", width: 1, height: 1, durationMs: 1,
        placeholder: "h")
    private static let people = PostAudience(kind: .people, people: [], conversationId: 1)
    private static func preview(_ picture: String?, _ sharer: AuthorPreview?, _ time: Timestamp?) -> PostPreview {
        PostPreview(
            entryId: 1, postId: 1, contentSummary: "s", isCut: false, author: author, createdAt: Self.time,
            liked: false,
            bookmarked: false, likeCount: 0, shareCount: 0, attachmentCount: 0, attachmentPreviewImageUrl: picture,
            sharedBy: sharer, editedAt: time, requestId: picture, publishAt: time,
            attachmentPreviewWidth: picture.map { _ in 1 }, attachmentPreviewHeight: picture.map { _ in 1 },
            attachmentPreviewPlaceholder: picture, contentWarning: picture,
            attachmentPreviews: picture.map { _ in [AttachmentPreview(medium)] })
    }
    private static let post = PostDetail(
        postId: 1, content: "c", author: author, createdAt: time, liked: false, bookmarked: false, likeCount: 0,
        shareCount: 0, attachments: [])
    private static let fullPost = PostDetail(
        postId: 1, content: "c", author: author, createdAt: time, liked: false, bookmarked: false, likeCount: 0,
        shareCount: 0, attachments: [], editedAt: time, requestId: "r", publishAt: time, contentWarning: "w")

    private static var fullPerson: Person {
        var person = Person(
            id: 1, name: "n", handle: "n1", bio: "b", following: false, followsYou: false, isYou: false,
            counts: Person.Counts(posts: 1, followers: 1, following: 1))
        (person.requested, person.approvesFollowers, person.muted, person.blocked) = (true, true, true, true)
        return person
    }

    private static var fullComment: BothyContract.Comment {
        var comment = BothyContract.Comment(
            commentId: 2, threadId: 1, parentCommentId: 1, parentDeleted: true, content: "c", author: author,
            createdAt: time)
        comment.parentLeft = true
        comment.commentCount = 3
        return comment
    }

    private static var feed: [WireSample] {
        [
            WireSample(
                "AuthorPreview", AuthorPreview(id: 1, name: "a", handle: "a1", profileImageThumbnailUrl: "p"), author),
            WireSample("PostPreview", preview("p", author, time), preview(nil, nil, nil)),
            WireSample(
                "PostState",
                PostState(
                    postId: 1, version: 1, liked: false, bookmarked: false, shared: false, likeCount: 0, shareCount: 0,
                    commentCount: 0)),
            WireSample("InteractionsRequest", InteractionsRequest(interactions: [])),
            WireSample(
                "InteractionWithPost", InteractionWithPost(requestId: "r", postId: 1, type: .liked),
                InteractionWithPost(requestId: nil, postId: 1, type: .liked)),
            WireSample("PostCheckRequest", PostCheckRequest(posts: [])),
            WireSample(
                "PostCheckResponse", PostCheckResponse(changed: [PostAtVersion(postId: 1, version: 2)], gone: [3])),
            WireSample("InteractionsResponse", InteractionsResponse(outcomes: [])),
            WireSample(
                "InteractionOutcome",
                InteractionOutcome(
                    requestId: "r", postId: 1,
                    state: PostState(
                        postId: 1, version: 1, liked: false, bookmarked: false, shared: false, likeCount: 0,
                        shareCount: 0, commentCount: 0), problem: Problem(.notFound, "d")),
                InteractionOutcome(requestId: nil, postId: 1)),
            WireSample(
                "EditPostRequest",
                EditPostRequest(
                    requestId: "r", baseVersion: 1, content: "c", attachments: [],
                    audience: NewPostAudience(kind: .everyone), contentWarning: "w"),
                EditPostRequest(requestId: nil, baseVersion: 1)),
            WireSample(
                "ScheduledPost",
                ScheduledPost(
                    scheduledId: 1, requestId: "r", publishAt: time, held: "h", content: "c", contentWarning: "w",
                    attachments: [], audience: .everyone),
                ScheduledPost(scheduledId: 1, publishAt: time, content: "c", attachments: [], audience: .everyone)),
            WireSample("ScheduledPostsResponse", ScheduledPostsResponse(posts: [])),
            WireSample("ReschedulePostRequest", ReschedulePostRequest(publishAt: time)),
            WireSample(
                "PostVersion", PostVersion(version: 1, content: "c", contentWarning: "w", createdAt: time),
                PostVersion(version: 1, content: "c", createdAt: time)),
            WireSample("PostHistoryResponse", PostHistoryResponse(versions: [])),
            WireSample("TrashedPost", TrashedPost(post: preview(nil, nil, nil), deletedAt: time)),
            WireSample("TrashedPostsResponse", TrashedPostsResponse(posts: [], paging: lastPage)),
            WireSample("Conversation", Conversation(conversationId: 1, people: [], lastPostId: 1)),
            WireSample("ConversationsResponse", ConversationsResponse(conversations: [], paging: lastPage)),
            WireSample("PostAudience", people, PostAudience.everyone),
            WireSample(
                "NewPostAudience", NewPostAudience(kind: .people, people: [1]), NewPostAudience(kind: .followers)),
            WireSample(
                "AttachmentPreview", AttachmentPreview(medium), AttachmentPreview(type: OpenWord(.image))),
            WireSample("Attachment", medium, Attachment(id: 1, type: .image, contentUrl: "u")),
            WireSample("PostDetail", fullPost, post),
            WireSample("PostDetailApiResponse", PostDetailApiResponse(post: post)),
            WireSample(
                "Comment",
                fullComment,
                BothyContract.Comment(commentId: 1, threadId: 1, content: "c", author: author, createdAt: time)),
            WireSample("CommentsApiResponse", CommentsApiResponse(comments: [], paging: lastPage)),
            WireSample(
                "NewCommentRequest", NewCommentRequest(requestId: "r", content: "c", parentCommentId: 1),
                NewCommentRequest(requestId: nil, content: "c")),
            WireSample(
                "FeedApiResponse", FeedApiResponse(feed: [], paging: lastPage, arrival: "a", reachesSince: true),
                FeedApiResponse(feed: [], paging: lastPage)),
            WireSample("FeedArrivalsResponse", FeedArrivalsResponse(count: 1, hasMore: false, arrival: "a")),
            WireSample(
                "FeedMarker",
                FeedMarker(readUpTo: 1, position: FeedPosition(entryId: 1), updatedAt: time), FeedMarker()),
            WireSample("FeedPosition", FeedPosition(entryId: 1)),
            WireSample(
                "UpdateFeedMarkerRequest",
                UpdateFeedMarkerRequest(readUpTo: 1, position: FeedPosition(entryId: 1)), UpdateFeedMarkerRequest()),
            WireSample(
                "Draft",
                Draft(
                    draftId: 1, version: 1, content: "c", publishAt: time, audience: .everyone, updatedAt: time,
                    copiedFrom: 2, contentWarning: "w"),
                Draft(draftId: 1, version: 1, content: "c", updatedAt: time)),
            WireSample(
                "DraftAttachment",
                DraftAttachment(
                    type: .image, contentUrl: "u", previewImageUrl: "p", caption: "c", fileId: "f", name: "n"),
                DraftAttachment(type: .image, contentUrl: "u", fileId: "f", name: "n")),
            WireSample(
                "DraftPreview",
                DraftPreview(
                    draftId: 1, version: 1, contentSummary: "s", isCut: false, attachmentCount: 0, publishAt: time,
                    audience: .everyone, updatedAt: time, copiedFrom: 2, contentWarning: "w"),
                DraftPreview(
                    draftId: 1, version: 1, contentSummary: "s", isCut: false, attachmentCount: 0, updatedAt: time)),
            WireSample("GetDraftsResponse", GetDraftsResponse(drafts: [])),
            WireSample(
                "SaveDraftRequest",
                SaveDraftRequest(
                    content: "c", attachments: [], publishAt: time, audience: NewPostAudience(kind: .followers),
                    contentWarning: "w", baseVersion: 1, editorId: "e"),
                SaveDraftRequest(content: "c")),
            WireSample(
                "NewPostRequest",
                NewPostRequest(
                    requestId: "r", content: "c", attachments: [], draftId: 1, draftVersion: 1,
                    audience: NewPostAudience(kind: .everyone), publishAt: time, contentWarning: "w"),
                NewPostRequest(requestId: nil, content: "c")),
            WireSample(
                "NewAttachment", NewAttachment(type: .image, contentUrl: "u", caption: "c"),
                NewAttachment(type: .image, contentUrl: "u")),
            WireSample(
                "PostInteractionRequest", PostInteractionRequest(requestId: "r", type: .liked),
                PostInteractionRequest(requestId: nil, type: .liked)),
            WireSample(
                "Person",
                fullPerson,
                Person(id: 1, name: "n", handle: "n1", following: false, followsYou: false, isYou: false)),
            WireSample("ReportRequest", ReportRequest(reason: "r")),
            WireSample("DeleteAccountRequest", DeleteAccountRequest(password: "p")),
            WireSample(
                "ExportedPost",
                ExportedPost(postId: 1, content: "c", contentWarning: "w", createdAt: time, attachments: []),
                ExportedPost(postId: 1, content: "c", createdAt: time, attachments: [])),
            WireSample(
                "ExportedComment",
                ExportedComment(commentId: 1, postId: 1, parentCommentId: 1, content: "c", createdAt: time),
                ExportedComment(commentId: 1, postId: 1, parentCommentId: nil, content: "c", createdAt: time)),
            WireSample(
                "ExportedInteraction",
                ExportedInteraction(postId: 1, liked: true, shared: false, bookmarked: false)),
            WireSample("InviteRequest", InviteRequest(note: "n"), InviteRequest()),
            WireSample("InviteResponse", InviteResponse(invite: "i", expiresIn: 1)),
            WireSample(
                "ProfileUpdate", ProfileUpdate(name: "n", handle: "h", bio: "b", approvesFollowers: true, picture: "u"),
                ProfileUpdate()),
            WireSample("Hashtag", Hashtag(tag: "t", postCount: 1)),
            WireSample("TagsResponse", TagsResponse(tags: [])),
            WireSample(
                "FeedNotification",
                FeedNotification(
                    notificationId: 1, kind: .reply, actors: [author], actorCount: 1, postId: 1, commentId: 1,
                    excerpt: "e", contentWarning: "w", createdAt: time, read: false),
                FeedNotification(
                    notificationId: 1, kind: .follow, actors: [author], actorCount: 1, createdAt: time, read: false)),
            WireSample(
                "NotificationsResponse", NotificationsResponse(notifications: [], unread: 0, paging: lastPage)),
            WireSample("NotificationsReadRequest", NotificationsReadRequest(upTo: 1)),
            WireSample("NotificationsReadResponse", NotificationsReadResponse(readUpTo: 1, unread: 0)),
            WireSample("GetUsersResponse", GetUsersResponse(users: [], pagination: lastPage)),
        ]
    }

    private static var accounts: [WireSample] {
        [
            WireSample("DeviceDescription", description),
            WireSample(
                "RegisterRequest",
                RegisterRequest(
                    email: "e", password: "p", displayName: "d", device: description, setupCode: "s", invite: "i"),
                RegisterRequest(email: "e", password: "p", displayName: "d", device: description)),
            WireSample(
                "LoginRequest", LoginRequest(email: "e", password: "p", device: description, deviceId: "d"),
                LoginRequest(email: "e", password: "p", device: description)),
            WireSample("RefreshRequest", RefreshRequest(refreshToken: "r")),
            WireSample("ChangePasswordRequest", ChangePasswordRequest(currentPassword: "c", newPassword: "n")),
            WireSample("User", user),
            WireSample("Device", device),
            WireSample(
                "SessionResponse",
                SessionResponse(accessToken: "a", refreshToken: "r", expiresIn: 1, user: user, device: device)),
            WireSample("GetDevicesResponse", GetDevicesResponse(devices: [], pagination: lastPage)),
            WireSample(
                "AboutResponse",
                AboutResponse(
                    user: user, quota: .init(used: 0, limit: 1, items: 1, itemLimit: 1),
                    limits: .init(chunkSize: 1, maxFileSize: 1, simpleUploadLimit: 1), settings: .init(),
                    blockParameters: 1),
                AboutResponse(
                    user: user, quota: .init(used: 0, limit: 1),
                    limits: .init(chunkSize: 1, maxFileSize: 1, simpleUploadLimit: 1), settings: .init(),
                    serverVersion: nil)),
        ]
    }

    private static var files: [WireSample] {
        [
            WireSample(
                "StorageResponse",
                StorageResponse(files: [:], trash: .init(), versions: .init(), posts: .init()),
                StorageResponse(files: [:], trash: .init(), versions: .init())),
            WireSample("StoragePart", StorageResponse.Part(count: 1, bytes: 1)),
            WireSample("PaginationMetadata", PaginationMetadata(next: "n", limit: 1), lastPage),
            WireSample("File", fullFile, leastFile),
            WireSample(
                "Media", Media(kind: .video, takenAt: time, width: 1, height: 1, durationMs: 1),
                Media(kind: .video, takenAt: time, width: 1, height: 1)),
            WireSample("GetFilesResponse", GetFilesResponse(files: [], pagination: lastPage)),
            WireSample("SearchResponse", SearchResponse(results: [], isComplete: true)),
            WireSample(
                "SearchResult",
                SearchResponse.Result(
                    file: leastFile, path: "/a", match: .text, excerpt: [.init("a", isFound: true)]),
                SearchResponse.Result(file: leastFile, path: "/a")),
            WireSample("SearchStretch", SearchResponse.Stretch("a", isFound: true)),
            WireSample(
                "CreateFileRequest", CreateFileRequest(requestId: "r", name: "n", mimeType: "m", parentId: "p"),
                CreateFileRequest(requestId: nil, name: "n", mimeType: nil, parentId: nil)),
            WireSample(
                "UpdateFileRequest",
                UpdateFileRequest(
                    requestId: "r", name: "n", parentId: "p", starred: true, hidden: true, executable: true,
                    trashed: true, modifiedAt: time), UpdateFileRequest()),
            WireSample(
                "CopyFileRequest", CopyFileRequest(requestId: "r", name: "n", parentId: "p"),
                CopyFileRequest(requestId: nil, name: nil, parentId: nil)),
            WireSample("FileRevision", revision(deviceId: "d"), revision(deviceId: nil)),
            WireSample("GetRevisionsResponse", GetRevisionsResponse(revisions: [], pagination: lastPage)),
            WireSample(
                "RestoreRevisionResponse",
                RestoreRevisionResponse(file: leastFile, revision: revision(deviceId: nil))),
            WireSample(
                "RestoreRequest",
                RestoreRequest(requestId: "r", at: time, cursor: "c", fileId: "f", dryRun: true, planId: "p"),
                RestoreRequest(requestId: nil)),
            WireSample("DriveRestore", restore(before: "b", after: "a"), restore(before: nil, after: nil)),
            WireSample("RestoreCounts", RestoreCounts()),
            WireSample(
                "RestoreChange",
                RestoreChange(
                    fileId: "f", isFolder: false, action: .lost, aspects: [.name], path: "/", pastPath: "/",
                    revisionId: "r", lostAt: time, outcome: .done),
                RestoreChange(fileId: "f", isFolder: false, action: .lost)),
            WireSample("GetRestoreChangesResponse", GetRestoreChangesResponse(changes: [], pagination: lastPage)),
            WireSample("BlockReference", block),
            WireSample("PatchRequest", PatchRequest(base: block.sha256), PatchRequest(wanted: [], have: [])),
            WireSample("GetBlocksResponse", GetBlocksResponse(blocks: [])),
        ]
    }

    private static func restore(before: String?, after: String?) -> DriveRestore {
        DriveRestore(
            restoreId: "r", fileId: "f", at: time, askedAt: before.map { _ in time }, cursor: "c", state: .finished,
            counts: RestoreCounts(),
            before: before, after: after, createdAt: time)
    }

    private static var uploads: [WireSample] {
        [
            WireSample(
                "UploadRequest",
                UploadRequest(
                    requestId: "r", name: "n", mimeType: "m", parentId: "p", size: 1, fileId: "f", baseRevisionId: "b",
                    fileHashSha256: hash, modifiedAt: time, executable: true, conflict: .fork, plan: .open(),
                    finalize: .explicit),
                UploadRequest(requestId: nil, name: "n")),
            WireSample(
                "ChunkPlan", ChunkPlan(kind: .blocks, chunkSize: 1, blocks: [block], parameters: 1),
                ChunkPlan(kind: .blocks)),
            WireSample("UploadResponse", uploadResponse(file: leastFile), uploadResponse(file: nil)),
            WireSample("ExtendPlanRequest", ExtendPlanRequest(from: 0, blocks: [])),
            WireSample("ExtendPlanResponse", ExtendPlanResponse(totalChunks: 0, receivedChunks: [])),
            WireSample(
                "FinalizeRequest",
                FinalizeRequest(
                    size: 1, fileHashSha256: hash, name: "n", parentId: "p", baseRevisionId: "b", conflict: .fail),
                FinalizeRequest()),
            WireSample(
                "FinalizeResponse",
                FinalizeResponse(
                    remoteFileId: "f", fileHashSha256: hash, file: leastFile, revision: revision(deviceId: nil))),
            WireSample("UploadBatchResponse", UploadBatchResponse(items: [])),
            WireSample("UploadBatchOutcome", fullOutcome, leastOutcome),
            WireSample("UploadedFile", UploadedFile(fullFile), UploadedFile(leastFile)),
            WireSample("ContentBatchRequest", ContentBatchRequest(revisionIds: ["r"])),
            WireSample("ContentBatchOutcome", fullBatched, leastBatched),
            WireSample("BatchedContent", batched),
        ]
    }

    private static let batched = BatchedContent(size: 1, checksum: hash, modifiedAt: time, executable: true)

    private static var fullBatched: ContentBatchOutcome {
        var outcome = ContentBatchOutcome(revisionId: "r", content: batched)
        outcome.problem = Problem(.notFound, "d")
        return outcome
    }

    private static var leastBatched: ContentBatchOutcome {
        var outcome = ContentBatchOutcome(revisionId: "r", content: batched)
        outcome.content = nil
        return outcome
    }

    private static var fullOutcome: UploadBatchOutcome {
        var outcome = UploadBatchOutcome(requestId: "r", cursor: "c", file: UploadedFile(fullFile))
        outcome.cursorBefore = "b"
        (outcome.upload, outcome.problem) = (uploadResponse(file: leastFile), Problem(.notFound, "d"))
        return outcome
    }

    private static var leastOutcome: UploadBatchOutcome {
        var outcome = UploadBatchOutcome(requestId: nil, problem: Problem(.notFound, "d"))
        outcome.problem = nil
        return outcome
    }

    private static var changes: [WireSample] {
        [
            WireSample(
                "Change", Change(kind: .file, id: "f", removed: false, file: leastFile),
                Change(kind: .file, id: "f", removed: true)),
            WireSample("GetChangesResponse", GetChangesResponse(changes: [], cursor: "c", hasMore: false)),
            WireSample("CursorResponse", CursorResponse(cursor: "c")),
            WireSample("WaitResponse", WaitResponse(changed: true, backoffSeconds: 1), WaitResponse(changed: true)),
            WireSample("Deletion", deletion(checksum: hash, deviceId: "d"), deletion(checksum: nil, deviceId: nil)),
            WireSample(
                "RequestEndResponse", RequestEndResponse(done: true, file: fullFile), RequestEndResponse(done: false)),
            WireSample("GetDeletionsResponse", GetDeletionsResponse(deletions: [], pagination: lastPage)),
            WireSample("Problem", fullProblem, Problem(.notFound, "d")),
            WireSample(
                "PlanBounds", PlanBounds(size: 1, chunkSize: 1, totalChunks: 1),
                PlanBounds(size: nil, chunkSize: nil, totalChunks: 1)),
        ]
    }

    private static func uploadResponse(file: File?) -> UploadResponse {
        UploadResponse(
            uploadId: "u", totalChunks: 1, chunksProcessed: 0, chunkSize: 1, uploadUrl: "u", uploadExpiresAt: time,
            receivedChunks: [], blockParameters: file.map { _ in 1 }, file: file)
    }

    private static func deletion(checksum: ContentHash?, deviceId: String?) -> Deletion {
        Deletion(fileId: "f", path: "/", checksum: checksum, isFolder: false, deletedAt: time, deviceId: deviceId)
    }

    private static var fullProblem: Problem {
        Problem(.notFound, "d").with {
            $0.retryAfter = 1
            $0.missing = []
            $0.currentRevisionId = "r"
            $0.currentVersion = 1
            $0.conflictingFileId = "f"
            $0.plan = PlanBounds(size: nil, chunkSize: nil, totalChunks: 0)
            $0.blockParameters = 1
            $0.computedSha256 = hash
            $0.free = 1
            $0.limit = 1
            $0.earliest = time
            $0.restoreId = "r"
            $0.postId = 1
        }
    }
}
