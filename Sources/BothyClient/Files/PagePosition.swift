import Synchronization

/// Where a reader of pages stands. A server that names the same page again is not followed in a circle.
final class PagePosition: Sendable {
    struct Page: Equatable, Sendable {
        /// nil for the first page.
        var token: String?
    }

    private let next = Mutex<Page?>(Page(token: nil))

    /// - Returns: nil after the last page.
    func take() -> Page? { next.withLock { $0 } }

    func advance(to token: String?, from page: Page) throws(ClientFailure) {
        if token != nil, token == page.token {
            throw ClientFailure(.answerInvalid, "The server's list names the same page twice.")
        }
        next.withLock { $0 = token.map { Page(token: $0) } }
    }
}
