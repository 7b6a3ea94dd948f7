import BothyClient
import BothyContract

/// What a server's log tells since a look: each file at its newest state, nil for one that is gone for good.
struct RemoteNews: Sendable {
    var files: [String: File?] = [:]
    /// As of when it is.
    var cursor: String
    /// What a reader that has not heard of it lacks.
    var lack = BindingEngine.CacheLack.news

    /// Changes in one look; after more, reading everything costs less than thinking about each.
    private static let most = 5_000

    /// - Returns: nil where only everything can be told: the log does not reach back so far, or tells too much.
    static func read(_ drive: any DriveProvider, after cursor: String) async throws -> RemoteNews? {
        var news = RemoteNews(cursor: cursor)
        while true {
            let page: GetChangesResponse
            do {
                page = try await drive.changes(after: news.cursor)
            } catch let failure as ClientFailure where failure.problem?.code == .cursorExpired {
                return nil
            }
            for change in page.changes where change.kind == .file {
                news.files[change.id] = .some(change.removed ? nil : change.file)
            }
            news.cursor = page.cursor
            if news.files.count > most { return nil }
            if !page.hasMore { return news }
        }
    }
}
