import BothyClient
import BothyContent
import BothyContract
import Foundation
import Synchronization

/// One device's replica of a paper drive, with its journal.
struct TestReplica: Sendable {
    let drive: PaperDrive
    let provider: PaperDriveProvider
    let folder: TemporaryFolder
    let clock = TestClock()
    let store: ReplicaStore
    let runner: JournalRunner
    let recorder: JournalRecorder
    let puller: ReplicaPuller

    init(_ drive: PaperDrive, device: String = "kitchen", folder: TemporaryFolder? = nil) throws {
        self.drive = drive
        self.folder = try folder ?? TemporaryFolder()
        provider = drive.from(device)
        store = try ReplicaDatabase.open(
            path: self.folder.file("replica.sqlite"), now: clock.now(), durability: .normal
        ).store
        runner = JournalRunner(store: store, drive: provider, clock: clock, chance: { 0.5 })
        recorder = JournalRecorder(store: store, clock: clock)
        puller = ReplicaPuller(store: store, drive: provider, clock: clock)
    }

    @discardableResult
    func pull() async throws -> [PageEffect] {
        let effects = Mutex([PageEffect]())
        _ = try await puller.pull { effect in effects.withLock { $0.append(effect) } }
        return effects.withLock { $0 }
    }

    /// Sends all that can be sent, as the engine does: what waits for the cache waits for a pull.
    func push() async throws -> JournalRunner.Rest {
        var rest = try await runner.push()
        while rest == .done, await runner.waitsForNews {
            try await pull()
            rest = try await runner.push()
        }
        return rest
    }

    /// Records it, and says what it is about.
    @discardableResult
    func record(
        _ action: JournalOperation.Action, on subject: LUID? = nil, kind: LUIDKind = .file
    ) async throws -> LUID {
        switch try await recorder.record(action, on: subject, kind: kind) {
        case .recorded(let operation): operation.subject
        case .collapsed(let gone, _): gone[0].subject
        }
    }

    func content(_ bytes: [UInt8]) throws -> PendingContent {
        let path = try folder.write("content-\(UUID().uuidString)", bytes)
        return PendingContent(
            path: path, size: Int64(bytes.count), checksum: SHA256Hasher.hash(bytes), modifiedAt: clock.now(),
            owned: true)
    }

    func put(_ name: String, _ bytes: [UInt8], in parent: LUID = .root) async throws -> LUID {
        try await record(.upload(parent: parent, name: name, content: content(bytes), conflict: .fork))
    }

    /// What is shown, as paths with marks: `/docs/`, `/a.txt 3 ★`.
    func shown() async throws -> [String] {
        try await store.view { view in
            var lines = [String]()
            var waiting: [(LUID, String)] = [(.root, "")]
            while let (folder, path) = waiting.popLast() {
                for file in try view.children(of: folder) {
                    let place = "\(path)/\(file.name)"
                    lines.append(Self.line(place, file.isFolder, file.checksum, file.starred, file.hidden))
                    if file.isFolder { waiting.append((file.luid, place)) }
                }
            }
            return lines.sorted()
        }
    }

    /// What the drive has, in the same words.
    func fetched() -> [String] {
        let files = Dictionary(uniqueKeysWithValues: drive.files.map { ($0.id, $0) })
        return files.values.filter { !$0.trashed && $0.parentId != nil }.map { file in
            var (names, next) = ([String](), Optional(file))
            while let folder = next, let parent = folder.parentId {
                names.append(folder.name)
                next = files[parent]
            }
            return Self.line(
                "/" + names.reversed().joined(separator: "/"), file.isFolder, file.checksum, file.starred, file.hidden)
        }.sorted()
    }

    private static func line(
        _ path: String, _ isFolder: Bool, _ checksum: ContentHash?, _ starred: Bool, _ hidden: Bool
    ) -> String {
        path + (isFolder ? "/" : " \(checksum?.hex.prefix(8) ?? "-")") + (starred ? " ★" : "") + (hidden ? " h" : "")
    }

    func luid(_ path: String) async throws -> LUID? {
        let path = try RemotePath(path)
        return try await store.view { view in try view.file(at: path)?.luid }
    }
}
