import BothyClient
import BothyContent
import BothyContract
import Foundation
import Synchronization

/// `PaperDrive` as one device reaches it.
struct PaperDriveProvider: DriveProvider {
    let drive: PaperDrive
    let device: String

    let capabilities: DriveCapabilities = [
        .conditionalChanges, .deletionMemory, .trash, .revisions, .resumableTransfers,
    ]

    static let offline = ClientFailure(.offline, "There is no way to the drive.")

    private func read<Value>(_ body: (PaperDrive.State) throws -> Value) throws -> Value {
        try drive.state.withLock { state in
            if state.faults.offline { throw Self.offline }
            return try body(state)
        }
    }

    /// Acts once for a request id; a lost answer has acted.
    private func mutate(
        _ kind: String, _ requestId: String, _ body: (inout PaperDrive.State) throws -> PaperDrive.Outcome
    ) throws -> PaperDrive.Outcome {
        try drive.state.withLock { state in
            if state.faults.offline { throw Self.offline }
            state.requests.append("\(kind) \(requestId)")
            if !state.faults.refusals.isEmpty { throw state.faults.refusals.removeFirst() }
            let outcome: PaperDrive.Outcome
            let before = state.log.count
            if let known = state.outcomes[requestId] {
                if case .withdrawn = known { throw PaperDrive.State.problem(.idempotencyMismatch) }
                outcome = known
            } else {
                outcome = try body(&state)
                state.outcomes[requestId] = outcome
            }
            if state.faults.lostAnswers > 0 {
                state.faults.lostAnswers -= 1
                throw Self.offline
            }
            note(outcome, since: before, in: &state)
            return outcome
        }
    }

    /// As our server's answers tell of a change: of what is trashed no file, of what was done before no place.
    private func note(_ outcome: PaperDrive.Outcome, since before: Int, in state: inout PaperDrive.State) {
        var file: File?
        if case .file(let made) = outcome { file = made }
        let isAll = state.log.count == before + 1 && state.log.last == file?.id
        state.own[device, default: OwnChanges()].note(
            file, at: state.cursor(state.log.count), before: isAll ? state.cursor(before) : nil)
    }

    private func file(_ outcome: PaperDrive.Outcome) throws -> File {
        guard case .file(let file) = outcome else { throw ClientFailure(.answerInvalid, "No file came back.") }
        return file
    }

    // MARK: Looking

    func authenticate() async throws -> DriveIdentity {
        if let failure = drive.state.withLock({ $0.faults.signIn }) { throw failure }
        return DriveIdentity(accountId: "paper#1", name: "anna", deviceId: device)
    }

    func quota() async throws -> DriveQuota {
        try read { state in
            DriveQuota(used: state.revisions.values.reduce(0) { $0 + Int64($1.count) }, limit: nil)
        }
    }

    func cursor() async throws -> String { try read { $0.cursor($0.log.count) } }
    func changes(after cursor: String?) async throws -> GetChangesResponse { try read { try $0.page(after: cursor) } }

    func ownChanges(after cursor: String) async -> GetChangesResponse? {
        drive.state.withLock { $0.own[device]?.page(after: cursor) ?? nil }
    }

    func beginningOfOwnChanges(after cursor: String) async -> GetChangesResponse? {
        drive.state.withLock { $0.own[device]?.beginning(after: cursor) ?? nil }
    }

    func deletions(since: Timestamp?, page: String?) async throws -> GetDeletionsResponse {
        GetDeletionsResponse(
            deletions: try read { $0.deletions }, pagination: PaginationMetadata(next: nil, limit: 1000))
    }

    func file(_ id: String) async throws -> File {
        try read { state in
            guard let file = state.told(id) else { throw PaperDrive.State.problem(.notFound) }
            return file
        }
    }

    // MARK: Changing

    func createFolder(named name: String, in parentId: String, requestId: String) async throws -> File {
        try file(
            mutate("create", requestId) {
                .file(try $0.create(name, File.folderMimeType, in: parentId, requestId, device))
            })
    }

    func update(_ id: String, _ change: UpdateFileRequest, seen: SeenVersion?, requestId: String) async throws -> File {
        try file(
            mutate("update", requestId) { state in
                try state.check(seen, id)
                return .file(try state.update(id, change, device))
            })
    }

    func trash(_ id: String, seen: SeenContent, version: SeenVersion?, requestId: String) async throws -> Int64 {
        let outcome = try mutate("trash", requestId) { state in
            try state.check(version, id)
            try state.check(seen, id)
            return .version(try state.update(id, UpdateFileRequest(trashed: true), device).version)
        }
        guard case .version(let version) = outcome else { throw ClientFailure(.answerInvalid, "No version.") }
        return version
    }

    func deletePermanently(_ id: String, seen: SeenContent, requestId: String) async throws {
        _ = try mutate("purge", requestId) { state in
            try state.check(seen, id)
            try state.purge(id, device: device)
            return .version(0)
        }
    }

    func end(of requestId: String, withdrawing: Bool) async throws -> RequestEnd {
        try drive.state.withLock { state in
            if state.faults.offline { throw Self.offline }
            switch state.outcomes[requestId] {
            case .file(let file): return .done(file)
            case .version: return .done(nil)
            case .withdrawn: return .nothing
            case nil:
                if withdrawing { state.outcomes[requestId] = .withdrawn }
                return .nothing
            }
        }
    }

    // MARK: Bytes

    func upload(_ upload: DriveUpload) async throws -> File {
        guard let data = FileManager.default.contents(atPath: upload.localPath) else {
            throw ClientFailure(.fileMissing, "“\(upload.localPath)” is not there.")
        }
        let bytes = [UInt8](data)
        guard upload.checksum == nil || SHA256Hasher.hash(bytes) == upload.checksum else {
            throw ClientFailure(.sourceDamaged, "“\(upload.localPath)” is not what was to be sent.")
        }
        return try file(mutate("upload", upload.requestId) { .file(try send(upload, bytes, in: &$0)) })
    }

    private func send(_ upload: DriveUpload, _ bytes: [UInt8], in state: inout PaperDrive.State) throws -> File {
        var node: PaperDrive.Node
        if let id = upload.fileId {
            node = try state.require(id)
            if let base = upload.baseRevisionId, base != node.file.headRevisionId, upload.conflict == .fail {
                throw PaperDrive.State.problem(.revisionConflict)
            }
            node.file.version += 1
        } else {
            var name = try state.checked(upload.name)
            if upload.conflict == .fork { name = state.freeName(like: name, in: upload.parentId) }
            if upload.conflict == .overwrite, let there = state.child(name, of: upload.parentId), !there.isFolder {
                node = try state.require(there.id)
                node.file.version += 1
            } else {
                let made = try state.create(
                    name, upload.mimeType ?? File.defaultMimeType, in: upload.parentId, upload.requestId, device)
                node = PaperDrive.Node(file: made)
            }
        }
        let revision = "r" + state.newId()
        state.revisions[revision] = bytes
        node.content = bytes
        node.file.size = Int64(bytes.count)
        node.file.checksum = SHA256Hasher.hash(bytes)
        node.file.headRevisionId = revision
        return state.commit(node, device: device)
    }

    func download(_ download: DriveDownload) async throws -> DownloadedContent {
        if !download.replacing, FileManager.default.fileExists(atPath: download.destination) {
            throw ClientFailure(.destinationExists, "“\(download.destination)” is there already.")
        }
        let (bytes, revision) = try read { state in
            let node = try state.require(download.fileId)
            let revision = download.revisionId ?? node.file.headRevisionId
            return (revision.flatMap { state.revisions[$0] } ?? [], revision)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: download.destination))
        return DownloadedContent(
            revisionId: revision, checksum: SHA256Hasher.hash(bytes), size: Int64(bytes.count))
    }
}
