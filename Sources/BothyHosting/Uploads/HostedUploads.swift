import BothyClient
import BothyContract
import BothyServer
import NIOCore

/// Uploads from browsers, into the same sessions that devices use: nothing is staged on the way.
struct HostedUploads: BrowserUploads {
    /// Sessions of a browser that are listed.
    private static let mostListed = 50
    /// One for all: it looks after all bodies that come.
    private static let pace = BodyPace()

    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func begin(_ offer: UploadOffer) async throws -> UploadStanding {
        try await failing {
            if let begun = try await begun(as: offer) { return begun }
            let request = UploadRequest(
                requestId: nil, name: offer.name, mimeType: offer.mimeType ?? MediaType.of(offer.name),
                parentId: offer.folder.text, size: offer.size, modifiedAt: offer.modifiedAt, conflict: offer.conflict,
                plan: .fixed(chunkSize: UploadLimits.defaultChunkSize))
            let reply = try await services.uploads.start(request, identity: .none(for: "web upload"), for: caller)
            return try await standing(of: reply.response.uploadId)
        }
    }

    func standing(of id: String) async throws -> UploadStanding {
        let (drive, stamp) = (caller.driveId, services.stamps.stamp(for: caller))
        return try await failing {
            try await services.uploads.read(id, stamp) { session, _, db in
                if session.phase != .finished { try session.requireOpen() }
                return try Self.standing(session, db, drive)
            }
        }
    }

    func receive<Body: AsyncSequence & Sendable>(
        chunk index: Int, of id: String, sha256: ContentHash?, length: Int64?, from body: Body
    ) async throws -> FolderItem? where Body.Element == ByteBuffer {
        try await failing {
            let arrival = ChunkArrival(placement: .index(index), digest: sha256, length: length)
            let reply = try await services.uploads.receive(arrival, of: id, from: body, for: caller)
            return reply.outcome.map { FolderItem($0.file) }
        }
    }

    func finish(_ id: String, conflict: ConflictPolicy) async throws -> FolderItem {
        try await failing {
            FolderItem(
                try await services.uploads.finalize(id, FinalizeRequest(conflict: conflict), for: caller).file)
        }
    }

    func receiveBatch<Body: AsyncSequence & Sendable>(
        length: Int?, from body: Body
    ) async throws -> [Result<ItemID, ClientFailure>] where Body.Element == ByteBuffer {
        try await failing {
            if let length, length > UploadLimits.batchBody { throw UploadBatches.tooLarge }
            let (batches, caller) = (UploadBatches(services.simpleUploads, services.uploads), caller)
            let answer = try await Self.pace.watch(body) { parts in
                try await batches.receive(&parts, length: length, for: caller)
            }
            return answer.items.map { item in
                if let file = item.file { return .success(ItemID(file.id)) }
                return .failure(item.problem.map { ClientFailure($0) } ?? ClientFailure(.refused, "It was not stored."))
            }
        }
    }

    func folder(named name: String, in folder: ItemID) async throws -> ItemID {
        if let there = try await child(named: name, of: folder) { return there }
        do {
            return try await HostedActions(services, caller).makeFolder(named: name, in: folder).id
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            // Another tab was quicker, or a file has the name.
            guard let there = try await child(named: name, of: folder) else { throw failure }
            return there
        }
    }

    func underWay() async throws -> [UploadStanding] {
        let (caller, lived) = (caller, services.lived.now())
        return try await failing {
            try await services.database.read { db in
                try UploadTable(db, drive: caller.driveId)
                    .open(lived: lived, deviceId: caller.deviceId, limit: Self.mostListed)
                    .filter { $0.plan.kind == .fixed }
                    .map { try Self.standing($0, db, caller.driveId) }
            }
        }
    }

    func content(of item: ItemID) async throws -> HeldContentFacts {
        let drive = caller.driveId
        return try await failing {
            let row = try await services.database.read { try FileTable($0, drive: drive).requireFile(item.text) }
            return HeldContentFacts(size: row.size, checksum: row.checksum)
        }
    }

    func cancel(_ id: String) async throws {
        try await failing {
            do {
                try await services.uploads.cancel(id, for: caller)
            } catch let problem as Problem where [.notFound, .uploadExpired].contains(problem.code.known) {
                // There is nothing left of it.
            }
        }
    }

    // MARK: - Looking

    /// A session that somebody of the account began for the same file, and that asks about names no less than this one.
    private func begun(as offer: UploadOffer) async throws -> UploadStanding? {
        let (drive, lived) = (caller.driveId, services.lived.now())
        return try await services.database.read { db in
            try UploadTable(db, drive: drive)
                .open(lived: lived, size: offer.size, limit: UploadLimits.maximumOpenSessions)
                .first { session in
                    let request = session.request
                    return session.plan.kind == .fixed && request.fileId == nil && request.fileHashSha256 == nil
                        && (request.parentId ?? File.rootId) == offer.folder.text && request.name == offer.name
                        && request.modifiedAt == offer.modifiedAt
                        && [.fail, offer.conflict].contains(request.conflict ?? .fail)
                        && (request.finalize ?? .auto) == .auto
                }
                .map { try Self.standing($0, db, drive) }
        }
    }

    private func child(named name: String, of folder: ItemID) async throws -> ItemID? {
        let drive = caller.driveId
        return try await failing {
            // A name that cannot be one is nobody's; making it says why.
            guard let name = try? FileName.normalized(name) else { return nil }
            return try await services.database.read { db in
                let row = try FileTable(db, drive: drive).child(named: name, of: folder.text)
                return row.flatMap { $0.isFolder ? ItemID($0.id) : nil }
            }
        }
    }

    private static func standing(
        _ session: UploadSession, _ db: any SQLConnection, _ drive: Int64
    ) throws -> UploadStanding {
        let chunks = UploadChunkTable(db, drive: drive, uploadId: session.uploadId)
        return UploadStanding(
            id: session.uploadId, folder: ItemID(session.request.parentId ?? File.rootId), name: session.request.name,
            size: session.plan.plannedBytes, chunkSize: session.plan.chunkSize,
            received: session.phase == .finished ? [] : try chunks.receivedRuns(of: session),
            item: session.outcome.map { FolderItem($0.file) })
    }
}
