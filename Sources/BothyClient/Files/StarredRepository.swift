/// A page of what has a star, folders first, then by name.
public struct StarredPage: Equatable, Sendable {
    public var items: [FoundItem]
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?

    public init(items: [FoundItem], next: String?) {
        self.items = items
        self.next = next
    }
}

/// What a person has given a star, wherever it lies. Stars are given and taken away by ``FileActions``.
public protocol StarredRepository: Sendable {
    /// A page may be shorter than `limit`, and others follow all the same.
    ///
    /// - Throws: `ClientFailure`.
    func page(after place: String?, limit: Int) async throws -> StarredPage
}
