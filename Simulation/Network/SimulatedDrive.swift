import BothyClient
import BothyContent
import BothyContract

/// The server model as a device reaches it, over a network that drops, cuts, repeats, delays and garbles.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
package final class SimulatedDrive: DriveProvider, @unchecked Sendable {
    package let capabilities: DriveCapabilities = [
        .conditionalChanges, .deletionMemory, .trash, .revisions, .resumableTransfers,
    ]

    private let server: SimulatedServer
    private let device: String
    /// Where uploads read and downloads write.
    private let files: any SimulatedFiles
    /// What happens around each request: the rest of the world goes on, and a crash may come.
    private let meanwhile: any Meanwhile
    package var faults = NetworkFaults.none
    package var dice = SeededRandom(0)
    /// What the device's own transfers know over restarts: uploads that ended well, by request, with their file.
    private var finished: [String: String] = [:]
    private var sent: [String: [UploadRequest]] = [:]
    /// Of what is deleted, our server's answers tell no file.
    private var own = OwnChanges()
    /// Changes and deletions in a page: small, so that pages matter.
    package var pageLimit = 7
    /// The server at the moment of which the last page of changes told.
    private(set) var told: ServerModel?

    package init(
        server: SimulatedServer, device: String, files: any SimulatedFiles, meanwhile: any Meanwhile
    ) {
        self.server = server
        self.device = device
        self.files = files
        self.meanwhile = meanwhile
    }

    // MARK: Who

    package func authenticate() async throws -> DriveIdentity {
        DriveIdentity(accountId: "simulated#1", name: "the simulated drive", deviceId: device)
    }

    package func quota() async throws -> DriveQuota {
        try await read { DriveQuota(used: $0.usedBytes, limit: $0.quotaLimit) }
    }

    // MARK: What is there

    package func cursor() async throws -> String { try await read { $0.cursor } }

    package func changes(after cursor: String?) async throws -> GetChangesResponse {
        let limit = pageLimit
        let (page, told) = try await read { model throws(Problem) in
            (try model.changes(after: cursor, limit: limit), model)
        }
        self.told = told
        return page
    }

    package func ownChanges(after cursor: String) async -> GetChangesResponse? { own.page(after: cursor) }

    package func deletions(since: Timestamp?, page: String?) async throws -> GetDeletionsResponse {
        let limit = pageLimit
        return try await read { model throws(Problem) in try model.deletions(since: since, page: page, limit: limit) }
    }

    package func file(_ id: String) async throws -> File {
        try await read { model throws(Problem) in try model.file(id) }
    }

    // MARK: Changing

    package func createFolder(named name: String, in parentId: String, requestId: String) async throws -> File {
        let request = CreateFileRequest(
            requestId: nil, name: name, mimeType: File.folderMimeType, parentId: parentId)
        return try await change(.create(request), requestId).wholeFile
    }

    package func update(
        _ id: String, _ change: UpdateFileRequest, seen: SeenVersion?, requestId: String
    ) async throws -> File {
        var request = change
        request.requestId = nil
        return try await self.change(.update(id, request, ifMatch: seen.map(EntityTag.init)), requestId).wholeFile
    }

    package func trash(
        _ id: String, seen: SeenContent, version: SeenVersion?, requestId: String
    ) async throws -> Int64 {
        var deletion = ServerDeletion(seen, permanent: false)
        deletion.ifMatch = version.map(EntityTag.init)
        let answer = try await change(.delete(id, deletion), requestId)
        return answer.file?.version ?? 0
    }

    package func deletePermanently(_ id: String, seen: SeenContent, requestId: String) async throws {
        _ = try await change(.delete(id, ServerDeletion(seen, permanent: true)), requestId)
    }

    /// An upload may have sent several requests: what came of any of them is what came of it.
    package func end(of requestId: String, withdrawing: Bool) async throws -> RequestEnd {
        let ids = (0..<max(1, sent[requestId]?.count ?? 1)).map { Self.serverRequest(requestId, generation: $0) }
        var end = RequestEnd.nothing
        for id in ids {
            if let answer = try await self.answer(to: id, withdrawing: withdrawing) { end = .done(answer.file) }
        }
        return end
    }

    // MARK: Bytes

    /// As `BothyDrive` does it: a finished request is told again, content that changed is another request of the server's,
    /// and the file is asked for at the end, when others may have changed it.
    package func upload(_ upload: DriveUpload) async throws -> File {
        if let fileId = finished[upload.requestId] {
            // A server that was put back to a backup may know nothing of it.
            if case .done = try await end(of: upload.requestId, withdrawing: false) { return try await file(fileId) }
            finished[upload.requestId] = nil
        }
        let source = try files.source(upload.localPath)
        let hash = SHA256Hasher.hash(source.bytes)
        guard upload.checksum == nil || hash == upload.checksum else {
            throw ClientFailure(.sourceDamaged, "“\(upload.localPath)” is not what was to be sent.")
        }
        let request = UploadRequest(
            requestId: nil, name: upload.name, mimeType: upload.mimeType, parentId: upload.parentId,
            size: Int64(source.bytes.count), fileId: upload.fileId, baseRevisionId: upload.baseRevisionId,
            fileHashSha256: hash, modifiedAt: source.modifiedAt,
            executable: upload.executable ?? source.executable, conflict: upload.conflict)
        let files = files
        let (sent, requestId) = serverRequest(upload, request)
        let answer = try await change(.upload(sent, content: source.bytes), requestId) { () throws(ClientFailure) in
            guard try files.source(upload.localPath) == source else {
                throw ClientFailure(.sourceChanged, "“\(upload.name)” changed while it was sent.")
            }
        }
        let file = try answer.wholeFile
        finished[upload.requestId] = file.id
        return try await self.file(file.id)
    }

    /// Each content, and each place, that is sent under one request id is a request of its own to the server.
    ///
    /// - Returns: what is sent, and its id. What a file is called when it gets a new version is settled when that begins.
    private func serverRequest(_ upload: DriveUpload, _ request: UploadRequest) -> (UploadRequest, String) {
        var sent = sent[upload.requestId] ?? []
        let generation = sent.firstIndex { $0.isSame(as: request) } ?? sent.endIndex
        if generation == sent.endIndex { sent.append(request) }
        self.sent[upload.requestId] = sent
        return (sent[generation], Self.serverRequest(upload.requestId, generation: generation))
    }

    private static func serverRequest(_ requestId: String, generation: Int) -> String {
        generation == 0 ? requestId : "\(requestId)-\(generation + 1)"
    }

    package func download(_ download: DriveDownload) async throws -> DownloadedContent {
        let (file, bytes) = try await read { model throws(Problem) -> (FileRevision?, [UInt8]) in
            let head = try model.file(download.fileId).headRevisionId
            guard let revisionId = download.revisionId ?? head else { return (nil, []) }
            let revision = try model.revisions(of: download.fileId).first { $0.revisionId == revisionId }
            return (revision, try model.content(ofRevision: revisionId))
        }
        let arrived = garble(bytes)
        if let file, SHA256Hasher.hash(arrived) != file.checksum {
            throw ClientFailure(.integrityMismatch, "“\(download.name)” did not arrive as it was sent.")
        }
        try files.arrive(arrived, at: download.destination, replacing: download.replacing)
        return DownloadedContent(
            revisionId: file?.revisionId, checksum: file?.checksum, size: Int64(arrived.count))
    }

    private func garble(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty, Int.random(in: 0..<100, using: &dice) < faults.garbled else { return bytes }
        var bytes = bytes
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] ^= 1
        return bytes
    }

    // MARK: Requests

    private func read<Answer: Sendable>(
        _ body: (ServerModel) throws(Problem) -> Answer
    ) async throws -> Answer {
        try await meanwhile.beforeRequest()
        if case .dropped = faults.fate(&dice) { throw Self.offline }
        let answer = try heard { () throws(Problem) in try body(server.model) }
        try await meanwhile.afterRequest()
        return answer
    }

    /// - Parameter check: at the last moment before the server acts.
    private func change(
        _ call: ServerCall, _ requestId: String, check: () throws(ClientFailure) -> Void = {}
    ) async throws -> ServerAnswer {
        try await meanwhile.beforeRequest()
        try check()
        let fate = faults.fate(&dice)
        switch fate {
        case .dropped:
            throw Self.offline
        case .late:
            server.hold(call, requestId: requestId, by: device)
            throw Self.offline
        case .delivered, .cut, .repeated:
            let answer = Result { () throws(Problem) in
                try server.perform(call, requestId: requestId, by: device)
            }
            try await meanwhile.afterRequest()
            if case .cut = fate { throw Self.offline }
            guard case .repeated = fate else { return try told(of: call) { () throws(Problem) in try answer.get() } }
            return try told(of: call) { () throws(Problem) in
                try server.perform(call, requestId: requestId, by: device)
            }
        }
    }

    private func told(
        of call: ServerCall, _ body: () throws(Problem) -> ServerAnswer
    ) throws(ClientFailure) -> ServerAnswer {
        let answer = try heard(body)
        if case .delete = call {
            own.note(nil, at: answer.cursor, before: nil)
        } else {
            own.note(answer.file, at: answer.cursor, before: answer.cursorBefore)
        }
        return answer
    }

    private func answer(to requestId: String, withdrawing: Bool) async throws -> ServerAnswer? {
        try await meanwhile.beforeRequest()
        let fate = faults.fate(&dice)
        switch fate {
        case .dropped: throw Self.offline
        case .late:
            if withdrawing { server.holdWithdrawal(of: requestId) }
            throw Self.offline
        case .delivered, .cut, .repeated:
            let answer = server.model.end(of: requestId, withdrawing: withdrawing)
            try await meanwhile.afterRequest()
            if case .cut = fate { throw Self.offline }
            return answer
        }
    }

    private func heard<Answer>(_ body: () throws(Problem) -> Answer) throws(ClientFailure) -> Answer {
        do {
            return try body()
        } catch {
            throw ClientFailure(error)
        }
    }

    private static let offline = ClientFailure(.offline, "The server cannot be reached.")
}

/// What happens around each request of a device.
package protocol Meanwhile: AnyObject, Sendable {
    /// - Throws: when the device crashes before the request leaves.
    func beforeRequest() async throws
    /// - Throws: when the device crashes before it hears the answer.
    func afterRequest() async throws
}

/// A file that an upload reads.
package struct UploadSource: Equatable, Sendable {
    package var bytes: [UInt8]
    package var modifiedAt: Timestamp
    package var executable: Bool
    package var inode: UInt64

    package init(bytes: [UInt8], modifiedAt: Timestamp, executable: Bool, inode: UInt64) {
        self.bytes = bytes
        self.modifiedAt = modifiedAt
        self.executable = executable
        self.inode = inode
    }
}

/// The disk as transfers use it, by absolute path.
package protocol SimulatedFiles: AnyObject, Sendable {
    /// - Throws: `fileMissing`, `sourceNotAFile`.
    func source(_ path: String) throws(ClientFailure) -> UploadSource
    /// Puts a whole checked file there, durably.
    func arrive(_ bytes: [UInt8], at path: String, replacing: Bool) throws(ClientFailure)
}

extension ServerAnswer {
    fileprivate var wholeFile: File {
        get throws(ClientFailure) {
            guard let file else { throw ClientFailure(.answerInvalid, "The server told of no file.") }
            return file
        }
    }
}

extension UploadRequest {
    fileprivate func isSame(as other: UploadRequest) -> Bool {
        var other = other
        if fileId != nil { other.name = name }
        return self == other
    }
}

extension EntityTag {
    fileprivate init(_ seen: SeenVersion) {
        self.init(epoch: ChangeCursor(text: seen.cursor)?.epoch ?? 0, version: seen.version)
    }
}

extension ServerDeletion {
    init(_ seen: SeenContent, permanent: Bool) {
        switch seen {
        case .anything: self.init(permanent: permanent)
        case .subtree(let cursor): self.init(permanent: permanent, asOf: cursor)
        case .head(let revisionId): self.init(permanent: permanent, baseRevisionId: revisionId)
        }
    }
}
