import BothyContract

extension FeedStore {
    /// Takes in a post that was edited, and shows it so in every list that it is in.
    package func put(edited post: PostDetail) async throws {
        try await put(post)
        guard var preview = try await keptPreview(post.postId)?.preview else { return }
        let (summary, isCut) = PostText(html: post.content).summary(length: FeedLimits.summaryLength)
        (preview.contentSummary, preview.isCut) = (summary.html, isCut)
        preview.contentWarning = post.contentWarning
        (preview.version, preview.editedAt) = (post.version, post.editedAt)
        (preview.attachmentCount, preview.audience) = (post.attachments.count, post.audience)
        preview.attachmentPreviews = post.attachments.isEmpty ? nil : post.attachments.map { AttachmentPreview($0) }
        preview.attachmentPreviewImageUrl = post.attachments.lazy.compactMap(\.previewImageUrl).first
        try await put([preview])
    }
}
