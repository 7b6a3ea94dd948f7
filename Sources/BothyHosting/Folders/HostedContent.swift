import BothyClient
import BothyContract
import BothyServer
import NIOCore

/// The bytes of an account's files, as the server's own web app has them.
struct HostedContent: Sendable {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    /// A signed address, good for an hour at most.
    ///
    /// - Parameter quality: nil for the content itself.
    /// - Throws: `notFound` where there is no small picture.
    func address(of file: ItemID, _ quality: MediaQuality?) async throws -> String {
        try await failing {
            let (row, revision) = try await head(of: file)
            let address = services.links.path(of: revision, for: caller)
            let type = MediaType.told(row.mimeType, named: row.name)
            guard let quality, !PictureTypes.isItsOwnPicture(type, size: row.size) else { return address }
            guard services.media.draws(type) else { throw Problem(.notFound, "There is no thumbnail of this file.") }
            return quality.address(of: address)
        }
    }

    func beginning(of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        try await failing { try await beginning(ofRevision: try await head(of: file).revision, most: bytes) }
    }

    func beginning(ofRevision revision: String, most bytes: Int) async throws -> [UInt8] {
        let drive = caller.driveId
        return try await failing {
            let content = try await services.database.read {
                try StoredContent.find(revisionId: revision, in: $0, drive: drive)
            }
            return try await ContentReader(database: services.database, packs: services.packs)
                .beginning(of: content, most: bytes)
        }
    }

    /// Hands on all of a revision's bytes, piece by piece.
    func send(_ revision: String, _ piece: (ByteBuffer) async throws -> Void) async throws {
        let drive = caller.driveId
        let content = try await services.database.read {
            try StoredContent.find(revisionId: revision, in: $0, drive: drive)
        }
        let reader = ContentReader(database: services.database, packs: services.packs)
        try await reader.send(try await reader.open(content, range: 0..<content.size), to: piece)
    }

    private func head(of file: ItemID) async throws -> (row: FileRow, revision: String) {
        let drive = caller.driveId
        let row = try await services.database.read { try FileTable($0, drive: drive).require(file.text).row }
        guard let revision = row.headRevisionId else {
            throw Problem(
                .notAFile, row.isFolder ? "This is a folder, and only files have content." : "This file is empty.")
        }
        return (row, revision)
    }
}
