import BothyContract

/// Small pictures of the account's files, as the server makes them; what was seen once is here for times without a connection.
struct FilePictures: Sendable {
    /// Bytes of a small picture at most.
    private static let most: Int64 = 4 << 20

    private let remote: ContentRemoteSource
    private let kept: KeptPictures

    init(remote: ContentRemoteSource, kept: KeptPictures) {
        self.remote = remote
        self.kept = kept
    }

    /// - Throws: `offline` for what is not kept; `refused` where no picture can be made of it.
    func picture(of revision: String, _ file: ReplicaFile, _ quality: MediaQuality) async throws -> ServedContent {
        guard FileID.isPlausible(revision) else {
            throw ClientFailure(.answerInvalid, "The server gave a file a version of no such name.")
        }
        let name = "\(revision)-\(quality.rawValue)"
        if let picture = kept.find(name) { return picture.served(as: file.name) }
        guard let url = try await remote.lookUp(file.serverId ?? "", revisionId: revision).downloadUrl else {
            throw ClientFailure(.answerInvalid, "The server names no address for this file.")
        }
        let picture = try await remote.network.picture(at: quality.address(of: url), most: Self.most)
        kept.keep(picture, as: name)
        return picture.served(as: file.name)
    }
}
