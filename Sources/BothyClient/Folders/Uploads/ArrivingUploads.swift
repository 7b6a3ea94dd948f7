import BothyContract
import Foundation

/// The files that browsers hand to this device: their bytes are written once, where they stay until they are sent.
actor ArrivingUploads {
    /// Files under way at once: what a person drops comes a few at a time.
    private static let most = 1000
    /// Seconds after which what has not gone on is given up.
    private static let patience: Int64 = 30 * 86_400
    /// Files that ended lately, of which a browser whose answer was lost may ask again.
    private static let mostEnded = 1000
    /// Bytes of the disk that are left free.
    private static let margin: Int64 = 64 << 20

    private let content: ContentStore
    private let disk: any LocalDisk
    private let clock: any ClientClock
    private var known: [String: ArrivingUpload]?
    private var ended = [(id: String, item: FolderItem)]()
    /// Chunks whose bytes are coming.
    private var coming = Set<Chunk>()
    private var ending = [String: Task<FolderItem, any Error>]()

    private struct Chunk: Hashable {
        var upload: String
        var index: Int
    }

    init(content: ContentStore, disk: any LocalDisk, clock: any ClientClock) {
        self.content = content
        self.disk = disk
        self.clock = clock
    }

    nonisolated func bytesPath(_ id: String) -> String { content.arrivingPath(id) }

    private func recordPath(_ id: String) -> String { content.arrivingPath(id) + Self.recordEnding }

    private static let recordEnding = ".json"

    // MARK: - Looking

    /// The youngest last; what nobody has gone on with for long is gone.
    func all() throws -> [ArrivingUpload] {
        if let known { return known.values.sorted { $0.id < $1.id } }
        var uploads = [String: ArrivingUpload]()
        let entries = try content.entries(in: content.arrivingFolder)
        let names = Set(entries.map(\.name))
        for entry in entries where entry.name.hasSuffix(Self.recordEnding) {
            let id = String(entry.name.dropLast(Self.recordEnding.count))
            let isOld = entry.changedAt.adding(seconds: Self.patience) < clock.now()
            // Without its bytes it was made into a file, or nearly so, before the program ended.
            guard !isOld, names.contains(id), let upload = read(id) else {
                try remove(id)
                continue
            }
            uploads[id] = upload
        }
        // Without a record, bytes are nobody's.
        for entry in entries where !entry.name.hasSuffix(Self.recordEnding) && uploads[entry.name] == nil {
            try disk.remove("\(content.arrivingFolder)/\(entry.name)")
        }
        known = uploads
        return uploads.values.sorted { $0.id < $1.id }
    }

    /// One that was cut off in the middle of being written down is as good as none: the file is sent anew.
    private func read(_ id: String) -> ArrivingUpload? {
        guard let text = FileManager.default.contents(atPath: recordPath(id)) else { return nil }
        return try? WireCoding.decode(ArrivingUpload.self, from: text)
    }

    /// - Throws: `sessionExpired`.
    func upload(_ id: String) throws -> ArrivingUpload {
        guard let upload = try all().first(where: { $0.id == id }) else {
            throw ClientFailure(
                .sessionExpired, "This upload is no longer known here.", remedy: "Choose the file again.")
        }
        return upload
    }

    func item(of id: String) -> FolderItem? { ended.last { $0.id == id }?.item }

    // MARK: - Moving on

    /// - Throws: `diskFull`, `serverBusy`, `fileTooLarge`.
    func begin(_ offer: UploadOffer) throws -> ArrivingUpload {
        let all = try all()
        if let begun = all.last(where: { $0.isOf(offer) }) { return begun }
        guard all.count < Self.most else {
            throw ClientFailure(.serverBusy, "\(all.count) files are already being uploaded to this device.")
        }
        guard offer.size <= UploadLimits.maximumFileSize else {
            throw ClientFailure(.fileTooLarge, "A file has 10 GiB at most; “\(offer.name)” is larger.")
        }
        guard try disk.freeBytes(at: content.arrivingFolder) >= offer.size + Self.margin else {
            throw Self.noRoom(for: offer.name)
        }
        // Ids in the order in which they were begun: when, then which.
        let moment = String(clock.now().milliseconds, radix: 36)
        let upload = ArrivingUpload(offer, id: "\(moment)-\(JournalRecorder.newRequestId())")
        do {
            _ = try disk.openForWriting(bytesPath(upload.id))
            try write(upload)
        } catch let failure as ClientFailure where failure.code == .diskFull {
            try remove(upload.id)
            throw Self.noRoom(for: offer.name)
        }
        return upload
    }

    /// The person knows the file, and not where its bytes lie meanwhile.
    static func noRoom(for name: String) -> ClientFailure {
        ClientFailure(
            .diskFull, "There is no space for “\(name)” on this device's disk.",
            remedy: "Free some space on this disk, then try again. What has arrived is kept.")
    }

    /// The first request for a chunk writes it, and releases it in the end.
    ///
    /// - Returns: false for one whose bytes are on the disk: they are not touched again.
    /// - Throws: `serverBusy` while another request brings it.
    func claim(chunk index: Int, of id: String) throws -> Bool {
        let upload = try upload(id)
        if upload.received.contains(where: { ($0.first...$0.last).contains(index) }) { return false }
        guard coming.insert(Chunk(upload: id, index: index)).inserted else {
            throw ClientFailure(.serverBusy, "This part of “\(upload.name)” is already being uploaded.")
        }
        return true
    }

    func letGo(ofChunk index: Int, of id: String) { coming.remove(Chunk(upload: id, index: index)) }

    /// The bytes of a chunk are on the disk.
    func note(chunk index: Int, of id: String) throws {
        var upload = try upload(id)
        upload.received = upload.received.adding(index)
        try write(upload)
    }

    private func write(_ upload: ArrivingUpload) throws {
        let (path, text) = (recordPath(upload.id), try WireCoding.encodeStably(upload))
        let beside = path + ".new"
        let file = try disk.openForWriting(beside)
        try file.truncate(to: 0)
        try text.withUnsafeBytes { try file.write($0, at: 0) }
        try disk.rename(beside, to: path, replacing: true)
        known?[upload.id] = upload
    }

    /// Makes the file of an upload that is whole; those who ask meanwhile get the same one.
    func end(
        _ id: String, making make: @escaping @Sendable (ArrivingUpload) async throws -> FolderItem
    ) async throws -> FolderItem {
        if let item = item(of: id) { return item }
        if let under = ending[id] { return try await under.value }
        let upload = try upload(id)
        guard upload.standing().missing.isEmpty else {
            throw ClientFailure(.sessionExpired, "Parts of “\(upload.name)” are missing.", remedy: "Choose it again.")
        }
        let task = Task { try await make(upload) }
        ending[id] = task
        defer { ending[id] = nil }
        let item = try await task.value
        try cancel(id)
        if ended.count == Self.mostEnded { ended.removeFirst() }
        ended.append((id, item))
        return item
    }

    /// What came of it is not wanted any more, or elsewhere by now. One that is gone already is fine.
    func cancel(_ id: String) throws {
        guard try all().contains(where: { $0.id == id }) else { return }
        try remove(id)
        known?[id] = nil
    }

    private func remove(_ id: String) throws {
        try disk.remove(recordPath(id))
        try disk.remove(bytesPath(id))
    }
}
