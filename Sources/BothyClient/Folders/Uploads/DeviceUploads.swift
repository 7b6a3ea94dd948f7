import BothyContent
import BothyContract
import Foundation
import NIOCore

/// Uploads from browsers into this device: the files are there at once, and go up from here as anything does.
struct DeviceUploads: BrowserUploads {
    private let replica: ReplicaEngine
    private let arriving: ArrivingUploads
    private let content: ContentStore
    private let disk: any LocalDisk
    private let queues = DiskQueues("arriving", count: 4)

    init(_ replica: ReplicaEngine, arriving: ArrivingUploads, content: ContentStore, disk: any LocalDisk) {
        self.replica = replica
        self.arriving = arriving
        self.content = content
        self.disk = disk
    }

    // MARK: - Looking

    func underWay() async throws -> [UploadStanding] { try await arriving.all().reversed().map { $0.standing() } }

    func content(of item: ItemID) async throws -> HeldContentFacts {
        let file = try await replica.present(item)
        guard !file.isFolder else { throw ClientFailure(.notAFile, "This is a folder, and only files have content.") }
        return HeldContentFacts(size: file.size, checksum: file.checksum)
    }

    func standing(of id: String) async throws -> UploadStanding {
        if let item = await arriving.item(of: id) {
            return UploadStanding(
                id: id, folder: .root, name: item.name, size: item.size, chunkSize: ArrivingUpload.chunkSize,
                received: [], item: item)
        }
        return try await arriving.upload(id).standing()
    }

    // MARK: - Moving on

    func begin(_ offer: UploadOffer) async throws -> UploadStanding {
        var offer = offer
        do {
            offer.name = try FileName.normalized(offer.name)
        } catch {
            throw ClientFailure(.invalidName, "The name “\(offer.name)” \(error.reason).")
        }
        guard try await replica.present(offer.folder).isFolder else {
            throw ClientFailure(.notAFolder, "Files can only be uploaded to a folder.")
        }
        if offer.conflict == .fail { try await requireFree(offer.name, in: offer.folder) }
        return try await arriving.begin(offer).standing()
    }

    func receive<Body: AsyncSequence & Sendable>(
        chunk index: Int, of id: String, sha256: ContentHash?, length: Int64?, from body: Body
    ) async throws -> FolderItem? where Body.Element == ByteBuffer {
        if let item = await arriving.item(of: id) { return item }
        let upload = try await arriving.upload(id)
        guard let range = upload.range(ofChunk: index), length ?? Int64(range.count) == Int64(range.count) else {
            throw ClientFailure(.integrityMismatch, "This is not a part of “\(upload.name)”.")
        }
        guard try await arriving.claim(chunk: index, of: id) else {
            for try await _ in body {}
            return try await endIfWhole(id)
        }
        do {
            try await write(body, to: arriving.bytesPath(id), range, sha256)
            try await arriving.note(chunk: index, of: id)
        } catch {
            await arriving.letGo(ofChunk: index, of: id)
            let isFull = (error as? ClientFailure)?.code == .diskFull
            throw isFull ? ArrivingUploads.noRoom(for: upload.name) : error
        }
        await arriving.letGo(ofChunk: index, of: id)
        return try await endIfWhole(id)
    }

    /// The request with the last part, or one that is there already, is told of the file: two tabs may send the same one.
    private func endIfWhole(_ id: String) async throws -> FolderItem? {
        if let item = await arriving.item(of: id) { return item }
        let upload = try await arriving.upload(id)
        return upload.standing().missing.isEmpty ? try await finish(id, conflict: upload.conflict) : nil
    }

    private func write<Body: AsyncSequence & Sendable>(
        _ body: Body, to path: String, _ range: Range<Int64>, _ sha256: ContentHash?
    ) async throws where Body.Element == ByteBuffer {
        let file = try await queues.run { [disk] in try disk.openForWriting(path) }
        var (offset, hasher) = (range.lowerBound, SHA256Hasher())
        for try await part in body {
            guard offset + Int64(part.readableBytes) <= range.upperBound else {
                throw ClientFailure(.integrityMismatch, "The part of the file is too large.")
            }
            let start = offset
            part.withUnsafeReadableBytes { hasher.update($0) }
            try await queues.run { try part.withUnsafeReadableBytes { try file.write($0, at: start) } }
            offset += Int64(part.readableBytes)
        }
        guard offset == range.upperBound else {
            throw ClientFailure(.offline, "The browser closed the connection during the upload.")
        }
        guard sha256 == nil || hasher.finish() == sha256 else {
            throw ClientFailure(.integrityMismatch, "The upload was damaged on the way.")
        }
        // What is told as received outlives a power cut.
        try await queues.run { try file.sync() }
    }

    func finish(_ id: String, conflict: ConflictPolicy) async throws -> FolderItem {
        try await arriving.end(id) { upload in try await make(upload, conflict) }
    }

    private func make(_ upload: ArrivingUpload, _ conflict: ConflictPolicy) async throws -> FolderItem {
        if conflict == .fail { try await requireFree(upload.name, in: ItemID(upload.folder)) }
        let bytes = arriving.bytesPath(upload.id)
        let kept = try await queues.run { [disk, content] in
            let place = content.pendingPath(JournalRecorder.newRequestId())
            let hash = try LocalReading.hash(of: bytes, disk: disk)
            try disk.setModified(bytes, to: upload.modifiedAt)
            try disk.rename(bytes, to: place, replacing: false)
            return PendingContent(
                path: place, size: upload.size, checksum: hash, modifiedAt: upload.modifiedAt,
                mimeType: upload.mimeType ?? MediaType.of(upload.name), owned: true)
        }
        let made: JournalOperation?
        do {
            made = try await replica.record(
                .upload(
                    parent: try ItemID(upload.folder).luid(), name: upload.name, content: kept, conflict: conflict))
        } catch {
            try disk.rename(kept.path, to: bytes, replacing: false)
            throw error
        }
        return try await item(made?.subject)
    }

    func cancel(_ id: String) async throws { try await arriving.cancel(id) }

    func folder(named name: String, in folder: ItemID) async throws -> ItemID {
        let parent = try folder.luid()
        if let there = try await child(name, of: parent) {
            guard there.isFolder else {
                throw ClientFailure(.nameConflict, "There is already a file called “\(name)” in this folder.")
            }
            return there.luid.item
        }
        let made = try await replica.record(.createFolder(parent: parent, name: name))
        return try await item(made?.subject).id
    }

    // MARK: - Steps

    private func requireFree(_ name: String, in folder: ItemID) async throws {
        guard let there = try await child(name, of: try folder.luid()) else { return }
        // As the server would say it: with what has the name.
        let words = "There is already something called “\(name)” in this folder."
        var problem = Problem(.nameConflict, words)
        problem.conflictingFileId = there.luid.item.text
        throw ClientFailure(.nameConflict, words).with { $0.problem = problem }
    }

    /// A name that cannot be one is nobody's; making it says why.
    private func child(_ name: String, of folder: LUID) async throws -> ReplicaFile? {
        guard let name = try? FileName.normalized(name) else { return nil }
        return try await replica.read { view in try view.child(name, of: folder) }
    }

    private func item(_ luid: LUID?) async throws -> FolderItem {
        guard let luid, let file = try await replica.file(luid) else { throw ReplicaEngine.unknown }
        return FolderItem(file)
    }
}
