import BothyContract

/// Our own server as a drive: its HTTP contract for what is done, the device's transfers for bytes.
///
/// Nothing is tried again here but what a transfer tries by itself: the journal decides about that.
public struct BothyDrive: DriveProvider {
    public let capabilities: DriveCapabilities = [
        .conditionalChanges, .deletionMemory, .trash, .revisions, .resumableTransfers,
    ]

    private let network: NetworkDispatcher
    private let files: FilesRemoteSource
    private let requests: RequestsRemoteSource
    private let log: ChangesRemoteSource
    private let transfers: TransfersRepository

    package init(network: NetworkDispatcher, transfers: TransfersRepository) {
        self.network = network
        files = FilesRemoteSource(network: network, retries: .none)
        requests = RequestsRemoteSource(network: network)
        log = ChangesRemoteSource(network: network)
        self.transfers = transfers
    }

    // MARK: - Who

    public func authenticate() async throws -> DriveIdentity {
        let session = try await network.tokens.known()
        return DriveIdentity(
            accountId: session.account.accountId, name: "\(session.user.email) at \(session.server)",
            deviceId: session.device.id)
    }

    public func quota() async throws -> DriveQuota {
        let about = try await network.fetch(AboutResponse.self, WireRequest(.GET, "/v1/about", retries: .none))
        return DriveQuota(used: about.quota.used, limit: about.quota.limit)
    }

    // MARK: - What is there

    public func cursor() async throws -> String { try await log.cursor(retries: .none) }

    public func changes(after cursor: String?) async throws -> GetChangesResponse {
        try await log.page(after: cursor, limit: PaginationMetadata.maximumLimit)
    }

    public func ownChanges(after cursor: String) async -> GetChangesResponse? {
        network.ownChanges.page(after: cursor)
    }

    public func beginningOfOwnChanges(after cursor: String) async -> GetChangesResponse? {
        network.ownChanges.beginning(after: cursor)
    }

    public func deletions(since: Timestamp?, page: String?) async throws -> GetDeletionsResponse {
        try await log.deletions(since: since, page: page, limit: PaginationMetadata.maximumLimit)
    }

    public func file(_ id: String) async throws -> File { try await files.file(id) }

    // MARK: - Changing

    public func createFolder(named name: String, in parentId: String, requestId: String) async throws -> File {
        try await files.create(
            CreateFileRequest(requestId: requestId, name: name, mimeType: File.folderMimeType, parentId: parentId))
    }

    public func update(
        _ id: String, _ change: UpdateFileRequest, seen: SeenVersion?, requestId: String
    ) async throws -> File {
        var change = change
        change.requestId = requestId
        return try await files.update(id, change, ifMatch: try seen?.tag().text)
    }

    public func trash(
        _ id: String, seen: SeenContent, version: SeenVersion?, requestId: String
    ) async throws -> Int64 {
        let tag = try version?.tag().text
        guard let version = try await delete(id, permanently: false, seen, tag, requestId) else {
            throw ClientFailure(.answerInvalid, "The server does not say at which version it trashed the file.")
        }
        return version
    }

    public func deletePermanently(_ id: String, seen: SeenContent, requestId: String) async throws {
        _ = try await delete(id, permanently: true, seen, nil, requestId)
    }

    private func delete(
        _ id: String, permanently: Bool, _ seen: SeenContent, _ etag: String?, _ requestId: String
    ) async throws -> Int64? {
        var (cursor, revisionId): (String?, String?)
        switch seen {
        case .anything: break
        case .subtree(let at): cursor = at
        case .head(let head): revisionId = head
        }
        return try await files.delete(
            id, permanently: permanently, asOf: cursor, baseRevisionId: revisionId, ifMatch: etag,
            requestId: requestId)
    }

    // MARK: - Requests

    public func letGo(ofUpload requestId: String) async throws { try await transfers.giveUp(requestId) }

    public func end(of requestId: String, withdrawing: Bool) async throws -> RequestEnd {
        var end = RequestEnd.nothing
        for id in try await transfers.requests(of: requestId) ?? [requestId] {
            let told = try await requests.end(of: id, withdrawing: withdrawing)
            if told.done { end = .done(told.file) }
        }
        switch end {
        case .done(let file): try await transfers.conclude(requestId, as: file)
        case .nothing: if withdrawing { try await transfers.giveUp(requestId) }
        }
        return end
    }

    // MARK: - Bytes

    public func upload(_ upload: DriveUpload) async throws -> File { try await self.upload([upload])[0].get() }

    public func upload(_ uploads: [DriveUpload]) async -> [Result<File, any Error>] {
        let ends: [Result<TransfersRepository.KeptEnd, any Error>]
        do {
            ends = try await transfers.upload(
                uploads.map { TransfersRepository.KeptOrder(UploadOrder($0), as: $0.requestId) })
        } catch {
            return uploads.map { _ in .failure(error) }
        }
        return await withTaskGroup(of: (place: Int, file: Result<File, any Error>).self) { group in
            var files = [Result<File, any Error>?]()
            for (place, (upload, end)) in zip(uploads, ends).enumerated() {
                files.append(Self.known(end))
                guard files[place] == nil else { continue }
                group.addTask { (place, await Result(awaiting: { try await self.file(upload, try end.get()) })) }
            }
            for await (place, file) in group { files[place] = file }
            return files.compactMap(\.self)
        }
    }

    /// What an upload came to; nil where the server has yet to be asked.
    private static func known(
        _ end: Result<TransfersRepository.KeptEnd, any Error>
    ) -> Result<File, any Error>? {
        switch end {
        case .failure(let error): .failure(error)
        case .success(let end): end.isOld ? nil : end.file.map { .success($0) }
        }
    }

    /// What an upload that has completed made.
    private func file(_ upload: DriveUpload, _ end: TransfersRepository.KeptEnd) async throws -> File {
        if end.isOld, try await self.end(of: upload.requestId, withdrawing: false) == .nothing {
            // A server that was put back to a backup knows nothing of it any more.
            try await transfers.sendAgain(upload.requestId)
            return try await self.upload(upload)
        }
        // Asked for a moment later, it might be somebody's edit of it already.
        if let file = end.file { return file }
        guard let fileId = end.end.remoteFileId else {
            throw ClientFailure(.answerInvalid, "The server does not say which file “\(upload.name)” has become.")
        }
        return try await files.file(fileId, priority: .transfer)
    }

    public func download(_ download: DriveDownload) async throws -> DownloadedContent {
        try await self.download([download])[0].get()
    }

    public func download(_ downloads: [DriveDownload]) async -> [Result<DownloadedContent, any Error>] {
        do {
            return try await transfers.downloaded(downloads.map(DownloadOrder.init)).map { end in
                end.map { end in
                    DownloadedContent(
                        revisionId: end.remoteRevisionId, checksum: end.checksum, size: end.bytesTotal ?? 0)
                }
            }
        } catch {
            return downloads.map { _ in .failure(error) }
        }
    }

    public func letGo(ofDownloadsTo beginning: String, but wanted: Set<String>) async throws {
        try await transfers.giveUpDownloads(to: beginning, but: wanted)
    }

    public func remember(_ copy: DriveCopy) async throws { try await transfers.remember(copy) }
}

extension SeenVersion {
    /// The epoch is the one in which the version was seen: that of today would make an old version look like a new one.
    ///
    /// - Throws: `changedMeanwhile` where that is not known.
    func tag() throws(ClientFailure) -> EntityTag {
        guard let cursor = ChangeCursor(text: cursor) else {
            throw ClientFailure(.changedMeanwhile, "It is unknown when this version was seen.")
        }
        return EntityTag(epoch: cursor.epoch, version: version)
    }
}

extension UploadOrder {
    fileprivate init(_ upload: DriveUpload) {
        self.init(
            localPath: upload.localPath, name: upload.name, parentId: upload.parentId, fileId: upload.fileId,
            baseRevisionId: upload.baseRevisionId, conflict: upload.conflict, mimeType: upload.mimeType)
        twins = upload.twins
        checksum = upload.checksum
        hashed = upload.hashed
        executable = upload.executable
    }
}

extension DownloadOrder {
    fileprivate init(_ download: DriveDownload) {
        self.init(
            fileId: download.fileId, revisionId: download.revisionId, name: download.name,
            destination: download.destination, size: download.size, replacing: download.replacing)
        isDurable = download.isDurable
        basis = download.basis
        known = download.known
    }
}
