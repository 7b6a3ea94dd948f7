import BothyContract

/// A person's deleted posts: the server keeps each for 30 days, and nobody else sees it.
public protocol PostTrashRepository: Sendable {
    /// The newest post first.
    ///
    /// - Parameter place: the `next` of the page before; nil for the first.
    /// - Throws: `offline`.
    func page(after place: String?, limit: Int) async throws -> TrashedPostsResponse

    /// Puts a post back where it was, with what people did with it.
    ///
    /// - Throws: `offline`; `notFound` for what was deleted for good.
    func restore(_ id: Int64) async throws

    /// - Throws: `offline`; `notFound` for what is not in the trash any more.
    func deleteForGood(_ id: Int64) async throws
}
