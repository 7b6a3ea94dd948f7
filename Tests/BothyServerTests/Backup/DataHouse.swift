import BothyContract
import Foundation
import Logging
import NIOCore

@testable import BothyServer

/// A server's data folder with the services that stand on it, and accounts to put files into.
final class DataHouse: Sendable {
    let folder: TemporaryFolder
    let data: DataFolder
    let clock: TestClock
    let database: SQLiteDatabase
    let packs: FilesystemPackStore
    let stamps: StampSource
    let notifier: Notifier
    let simple: SimpleUploads
    let sessions: UploadSessions
    let writes = BlockWrites()

    /// - Parameter data: a folder made before, such as by a restore; a new one where nil.
    init(at data: DataFolder? = nil, disk: any DiskOperations = LocalDisk()) async throws {
        folder = try TemporaryFolder()
        self.data = data ?? DataFolder(path: folder.file("data"))
        try self.data.prepare(mustExist: data != nil)
        let clock = TestClock()
        self.clock = clock
        database = try await SQLiteDatabase.open(path: self.data.database)
        packs = try await FilesystemPackStore.open(
            folder: self.data.packs, minimumFreeBytes: 0, logger: .silent, disk: disk,
            maximumPackBytes: 2 << 20)
        stamps = StampSource(clock: clock, lived: { Int64(clock.uptimeSeconds()) })
        notifier = Notifier(clock: clock)
        let signer = try await URLSigner.load(from: database)
        simple = SimpleUploads(
            database: database, packs: packs, stamps: stamps, notifier: notifier, signer: signer, writes: writes)
        sessions = UploadSessions(
            database: database, packs: packs, stamps: stamps, notifier: notifier, signer: signer, writes: writes)
    }

    func addAccount(_ id: Int64, _ email: String) async throws {
        let now = clock.now()
        try await database.write { db in
            try db.execute(
                "INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms) VALUES (?, ?, ?, ?, '', ?)",
                [id.sql, email.sql, email.sql, "A Person", now.sql])
            try Drives.create(in: db, driveId: id, ownerId: id, quota: nil, now: now)
        }
    }

    /// What a server writes down at its first start.
    func beginLife(_ name: String) async throws {
        try await database.write { db in
            try db.execute("INSERT INTO server_state (key, value) VALUES ('issuer', ?)", [name.sql])
        }
    }

    /// - Returns: the file's id.
    @discardableResult
    func put(_ name: String, _ bytes: [UInt8], in parent: String = File.rootId, drive: Int64 = 1) async throws -> String
    {
        let request = UploadRequest(
            requestId: nil, name: name, parentId: parent, modifiedAt: Timestamp(seconds: -7, nanoseconds: 123_456_789),
            conflict: .overwrite)
        let caller = Caller(userId: drive, driveId: drive, deviceId: "device")
        return try await simple.store(
            SimpleUpload(request, content: ByteBuffer(bytes: bytes), identity: .none(for: "test")), for: caller
        ).file.id
    }

    func makeFolder(_ name: String, in parent: String = File.rootId, drive: Int64 = 1) async throws -> String {
        let stamp = stamps.stamp(driveId: drive, deviceId: nil)
        let creation = FileCreation(name: name, mimeType: File.folderMimeType, parentId: parent, requestId: nil)
        return try await database.write { try creation.perform(in: $0, stamp: stamp) }.row.id
    }

    var importing: Import {
        Import(database: database, sessions: sessions, simple: simple, stamps: stamps, notifier: notifier)
    }

    var export: Export { Export(database: database, packs: packs) }
    var backup: Backup { Backup(data: data, database: database, packs: packs, writes: writes, clock: clock) }
    var verification: Verification { Verification(database: database, packs: packs) }

    /// Its work on the disk does not wait between two pieces.
    var collection: GarbageCollection {
        GarbageCollection(
            database: database, packs: packs, writes: writes, lived: { [clock] in Int64(clock.uptimeSeconds()) },
            pause: { _ in })
    }

    var compaction: Compaction {
        Compaction(database: database, packs: packs, writes: writes, pause: { _ in })
    }

    /// Deletes files for good, and lets the day pass after which their blocks are free.
    func deleteForGood(_ ids: [String], drive: Int64 = 1) async throws {
        for id in ids {
            let stamp = stamps.stamp(driveId: drive, deviceId: nil)
            try await database.write { [stamps] db in
                _ = try FileDeletion(id: id, permanent: true).perform(in: db, stamp: stamp)
                while try Purge.drain(in: db, stamps: stamps) {}
            }
        }
        clock.advance(seconds: UploadExpiry.unreferencedLifetime + 1)
        while try await collection.freeBlocks() > 0 {}
    }

    /// The bytes of a file as it is now, as a device downloads them.
    func read(_ id: String, drive: Int64 = 1) async throws -> [UInt8] {
        let content = try await database.read { db in
            let file = try FileTable(db, drive: drive).requireFile(id)
            return try StoredContent.find(revisionId: file.headRevisionId ?? "", in: db, drive: drive)
        }
        let reader = ContentReader(database: database, packs: packs)
        var bytes = [UInt8]()
        try await reader.send(try await reader.open(content, range: 0..<content.size)) { bytes += $0.readableBytesView }
        return bytes
    }

    func close() async throws {
        do {
            try await packs.close()
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
    }

    /// Every file under a folder with its bytes, by its path from there.
    static func tree(_ path: String) throws -> [String: [UInt8]] {
        var tree = [String: [UInt8]]()
        guard let walk = FileManager.default.enumerator(atPath: path) else { return tree }
        for case let name as String in walk {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
            tree[name] = isFolder.boolValue ? nil : Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
        }
        return tree
    }
}
