import BothyContract

/// Folders as screens look at them: in windows, and then by what changes. On a device the replica stands behind it, in
/// the server's own web app the server's services.
///
/// Every method throws `ClientFailure`.
public protocol FolderRepository: Sendable {
    /// - Throws: `notFound`, `notAFolder`.
    func folder(_ id: ItemID) async throws -> OpenedFolder

    /// - Throws: `notFound`.
    func item(_ id: ItemID) async throws -> FolderItem

    /// The folders that it lies in, the root first.
    ///
    /// - Throws: `notFound`.
    func above(_ id: ItemID) async throws -> [FolderItem]

    /// Neighbours in an order, folders first.
    ///
    /// - Parameter range: places from 0; what lies past the end is left out.
    /// - Throws: `notFound`, `notAFolder`.
    func window(of folder: ItemID, order: FileOrder, _ range: Range<Int>) async throws -> FolderWindow

    /// Everything in it, in no order: to be chosen, all of it.
    ///
    /// - Throws: `notFound`, `notAFolder`.
    func everything(in folder: ItemID) async throws -> [ItemID]

    /// What happens to the folder after `mark`, until the listener goes, or the way is lost.
    func news(
        of folder: ItemID, order: FileOrder, after mark: FolderMark
    ) -> AsyncThrowingStream<FolderEvent, any Error>

    /// The beginning of a file's content.
    ///
    /// - Throws: `notFound`, `notAFile`.
    func beginning(of file: ItemID, most bytes: Int) async throws -> [UInt8]
}
