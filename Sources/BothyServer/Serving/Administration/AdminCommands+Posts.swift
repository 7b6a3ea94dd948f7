import BothyContract

/// What people reported of posts, and what is done about it.
extension AdminCommands {
    /// A report, as scripts are told of it. People are named by their handles.
    private struct ReportDocument: Encodable {
        var post: Int64
        var author: String
        var reporter: String
        var reason: String
        /// HTML.
        var contentSummary: String
        /// Absent where there is none.
        var contentWarning: String?
        var createdAt: Timestamp
    }

    private struct Removed: Encodable {
        var post: Int64
        var removed = true
    }

    private struct Dismissed: Encodable {
        var post: Int64
        var dismissed: Int
    }

    func listReports(_ say: Say) async throws {
        let reports = try await services.moderation.reports()
        for report in reports {
            let text = PostText(html: report.summary).blocks.flatMap(\.runs).map(\.text).joined()
            let warning = report.contentWarning.map { "Warning: \(Self.oneLine($0))\n    " } ?? ""
            try await say(
                AdminLine(
                    """
                    \(report.postId) by @\(report.author), reported by @\(report.reporter): \(Self.oneLine(report.reason))
                        \(warning)\(Self.oneLine(text))
                    """,
                    ReportDocument(
                        post: report.postId, author: report.author, reporter: report.reporter, reason: report.reason,
                        contentSummary: report.summary, contentWarning: report.contentWarning,
                        createdAt: report.createdAt)))
        }
        if reports.isEmpty { try await say(AdminLine("Nobody has reported a post.")) }
    }

    func dismissReports(of post: Int64, _ say: Say) async throws {
        let count = try await services.moderation.dismiss(post)
        guard count > 0 else { throw ServerFault(.missing, "Nobody has reported the post \(post).") }
        try await say(
            AdminLine(
                "\(Self.counted(count, "report")) of it dismissed. The post stays.",
                Dismissed(post: post, dismissed: count)))
    }

    func removePost(_ post: Int64, _ say: Say) async throws {
        guard try await services.moderation.remove(post) else {
            throw ServerFault(.missing, "There is no post \(post).")
        }
        try await say(AdminLine("The post is deleted for everybody.", Removed(post: post)))
    }
}
