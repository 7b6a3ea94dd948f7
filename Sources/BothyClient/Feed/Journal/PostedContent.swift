import BothyContract
import GRDB

/// What a post shows may have to reach the server first. Until then the post names the file by its LUID, in place of the address of
/// its content.
extension NewAttachment {
    /// A file that the server does not have yet.
    init(type: AttachmentType, file: LUID, caption: String? = nil) {
        self.init(type: type, contentUrl: file.description, caption: caption)
    }

    /// The file that it stands for, while that has not reached the server.
    package var fileUnderWay: LUID? {
        guard contentUrl.first == "#" else { return nil }
        return Int64(contentUrl.dropFirst()).map { LUID($0) }
    }
}

extension FeedOperation.Action {
    /// The files that a post shows and that had not reached the server when it was written.
    var filesUnderWay: [LUID] {
        guard case .publish(let request) = self else { return [] }
        return (request.attachments ?? []).compactMap(\.fileUnderWay)
    }

    /// The same post with what is known by now of where its content lies.
    ///
    /// - Parameter address: of the content of a file; nil for one that has not reached the server.
    func showing(_ address: (LUID) throws -> String?) rethrows -> Self {
        guard case .publish(var request) = self else { return self }
        request.attachments = try request.attachments?.map { attachment in
            guard let file = attachment.fileUnderWay, let known = try address(file) else { return attachment }
            var attachment = attachment
            attachment.contentUrl = known
            return attachment
        }
        return .publish(request)
    }

    /// The same post without what has not reached the server.
    ///
    /// - Returns: nil for what shows nothing that has not.
    func withoutFilesUnderWay() -> Self? {
        guard case .publish(var request) = self, !filesUnderWay.isEmpty else { return nil }
        let left = (request.attachments ?? []).filter { $0.fileUnderWay == nil }
        request.attachments = left.isEmpty ? nil : left
        return .publish(request)
    }
}

/// Where the server has the content that a file was made with here.
enum PostedContent {
    /// - Parameter file: as it was when the post was written.
    /// - Returns: nil for what has not reached the server, and where another content stands in its place.
    static func address(of file: LUID, in db: Database) throws -> String? {
        guard let content = try LuidTable.content(of: file, in: db) else { return nil }
        let now = try LuidTable.resolved(file, in: db)
        let sent = try OperationTable.of(now, in: db).first { operation in
            operation.content?.checksum == content
                && operation.acknowledgedRevision ?? SeenContent.unseen != SeenContent.unseen
        }
        if let revision = sent?.acknowledgedRevision { return AttachableFile.address(ofRevision: revision) }
        guard let there = try RemoteFileTable.find(now, in: db), there.checksum == content else { return nil }
        return there.headRevisionId.map(AttachableFile.address)
    }
}
