import BothyContract

/// Posts that a person is writing, kept with the account: every browser and device of that person can continue them.
public protocol DraftsRepository: Sendable {
    /// All of them, the one that was changed last first.
    ///
    /// - Throws: `offline` where they were never asked for here.
    func all() async throws -> Known<[DraftPreview]>

    /// How many there are.
    ///
    /// - Throws: `offline`.
    func count() async throws -> Int

    /// - Throws: `notFound` for one that was posted or deleted; `offline` for one that was never read here.
    func draft(_ id: Int64) async throws -> Draft

    /// Saves a draft. Where it was changed elsewhere since the version that the request names, both stay.
    ///
    /// - Parameter id: 1 to ``FeedLimits/maximumDraftId``, made at random for a new one.
    /// - Returns: the draft as it is kept: under another id where it became one of its own.
    /// - Throws: `refused`, with the problem `draft_posted` where it has become a post, or `too_many_drafts`; `offline`.
    @discardableResult
    func save(_ request: SaveDraftRequest, as id: Int64) async throws -> Draft

    /// Deletes a draft for good.
    ///
    /// - Throws: `notFound`; `offline`.
    func delete(_ id: Int64) async throws
}
