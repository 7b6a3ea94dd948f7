import BothyContract

/// Looking into what is to be attached, before it is.
extension Posts {
    /// What is none of the author's is refused where it is attached.
    ///
    /// - Throws: `invalid_parameter` for what is certainly no picture or video.
    func requireMedia(_ attachments: [NewPost.Attachment], of caller: Caller) async throws {
        guard !attachments.isEmpty else { return }
        let contents = try await database.read { db in
            let table = AttachmentTable(db, of: caller.userId)
            return try attachments.compactMap { try table.content($0.revisionId) }
        }
        for content in contents where AttachmentType(mimeType: content.mimeType) != nil {
            guard try await isRefuted(content) else { continue }
            throw Problem(
                .invalidParameter,
                content.size == 0
                    ? "“\(content.name)” is empty. Choose the file again where it is whole, or leave it out."
                    : "“\(content.name)” is not a picture or video, whatever its name says. Choose another file, or leave it out."
            )
        }
    }

    private func isRefuted(_ content: StoredContent) async throws -> Bool {
        do {
            return try await media.contradictsItsType(content)
        } catch is PackError {
            // What is damaged is reported when it is read, and says nothing of what it was.
            return false
        }
    }
}
