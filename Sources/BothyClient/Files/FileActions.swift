import BothyContract

/// What a person does with files but moving bytes. On a device it is written down and sent when there is a way; in the
/// server's own web app it is done.
///
/// Every method throws `ClientFailure`.
public protocol FileActions: Sendable {
    /// - Throws: `nameConflict`, `invalidName`, `parentGone`.
    func makeFolder(named name: String, in folder: ItemID) async throws -> FolderItem

    /// - Throws: `nameConflict`, `invalidName`, `notFound`.
    func rename(_ id: ItemID, to name: String) async throws -> FolderItem

    /// - Throws: `nameConflict`, `parentGone`, `notFound`, `refused` for a folder into itself.
    func move(_ id: ItemID, to folder: ItemID) async throws -> FolderItem

    /// Copies by reference: no bytes move. Where the name is taken the copy gets a counter.
    func copy(_ id: ItemID, to folder: ItemID) async throws -> FolderItem

    func setStarred(_ starred: Bool, _ id: ItemID) async throws -> FolderItem

    /// Into the trash, with all below it.
    ///
    /// - Parameter seen: how far the person who deletes it was told of what happens in the drive; nil where nobody
    ///   knows. A device goes by how far it has heard itself.
    /// - Throws: `notFound`, `changedMeanwhile` for what somebody else has changed since: nothing is deleted then.
    func trash(_ id: ItemID, seen: FolderMark?) async throws

    /// Back from the trash, with the folders above it.
    func untrash(_ id: ItemID) async throws -> FolderItem
}

extension FileActions {
    /// Into the trash, whatever it has become.
    public func trash(_ id: ItemID) async throws { try await trash(id, seen: nil) }
}
