import BothyContract

extension AdminCommands {
    private struct NoPictureDocument: Encodable {
        var event = "noPicture"
        var sha256: ContentHash
        var path, fileId, revisionId: String
        var reason: String
        /// Whether it ended programs, and is given to none any more.
        var setAside: Bool
    }

    /// Names the files of which no small picture can be made, and says why. The files themselves are whole.
    func tellUndrawn(_ say: Say) async throws {
        let affected = AffectedFiles(services.database)
        for shelf in try services.mediaFolder.shelves() {
            for undrawn in try services.mediaFolder.undrawn(on: shelf) {
                let content = try await services.database.read {
                    try ContentTable($0, drive: shelf.drive).find(checksum: undrawn.checksum)?.id
                }
                for file in try await affected.files(of: content.map { [$0] } ?? [], in: shelf.drive) {
                    let reason = Self.oneLine(undrawn.reason)
                    try await say(
                        AdminLine(
                            "no picture  \(Self.oneLine(file.path)) (\(file.fileId), revision \(file.revisionId)): \(reason)",
                            NoPictureDocument(
                                sha256: undrawn.checksum, path: file.path, fileId: file.fileId,
                                revisionId: file.revisionId,
                                reason: reason, setAside: undrawn.isSetAside)))
                }
            }
        }
    }

    /// What `stats` says of small pictures.
    func pictureFigures() throws -> (setAside: Int, missing: [String]) {
        let folder = services.mediaFolder
        let setAside = try folder.shelves().reduce(0) { try $0 + folder.undrawn(on: $1).count { $0.isSetAside } }
        return (setAside, services.media.missing)
    }
}
