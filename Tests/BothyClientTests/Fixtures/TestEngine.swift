import BothyClient
import BothyContract
import Foundation
import Testing

/// One device's replica as an app uses it, over a paper drive.
struct TestEngine: Sendable {
    let drive: PaperDrive
    let folder: TemporaryFolder
    let clock = TestClock()
    let content: ContentStore
    let engine: ReplicaEngine

    init(_ drive: PaperDrive, device: String = "kitchen", folder: TemporaryFolder? = nil) throws {
        self.drive = drive
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let content = ContentStore(folder: folder.file("content"))
        self.content = content
        for path in [content.pendingFolder, content.copyingFolder, content.heldFolder, content.trashFolder] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        var environment = ClientEnvironment.live
        environment.clock = clock
        environment.chance = { 0.5 }
        engine = ReplicaEngine(
            path: folder.file("replica.sqlite"), lockPath: folder.file("journal.lock"), content: content,
            drive: drive.from(device), listing: { id, _ in try drive.listed(id) }, deviceName: { device },
            environment: environment)
    }

    /// Puts bytes as the command line does without a connection.
    @discardableResult
    func put(_ name: String, _ bytes: [UInt8], in parent: LUID = .root) async throws -> LUID {
        let source = try folder.write("source-\(UUID().uuidString)", bytes)
        let content = try await engine.keep(source)
        let action = JournalOperation.Action.upload(parent: parent, name: name, content: content, conflict: .fork)
        return try #require(try await engine.record(action)).subject
    }

    /// New content of a file, made from the version that is shown.
    func edit(_ luid: LUID, _ bytes: [UInt8]) async throws {
        let source = try folder.write("source-\(UUID().uuidString)", bytes)
        let (content, base) = (try await engine.keep(source), try await engine.file(luid)?.headRevisionId)
        try await engine.record(.newRevision(content: content, base: base), on: luid)
    }

    func makeFolder(_ name: String, in parent: LUID = .root) async throws -> LUID {
        try #require(try await engine.record(.createFolder(parent: parent, name: name))).subject
    }

    /// Sends what waits and takes in what there is.
    func sync() async throws {
        try await engine.pull()
        _ = try await engine.push()
        try await engine.pull()
    }

    func names(_ folder: LUID = .root) async throws -> [String] {
        try await engine.children(of: folder).map(\.name)
    }

    /// What lies in one of the folders of `content`.
    func entries(_ folder: String) throws -> [String] { try content.entries(in: folder).map(\.name) }

    func bytes(_ luid: LUID) async throws -> [UInt8]? {
        guard let path = try await engine.localContent(of: luid) else { return nil }
        return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

extension PaperDrive {
    /// A folder as the server lists it, whole.
    func listed(_ id: String) throws -> GetFilesResponse {
        if faults.offline { throw PaperDriveProvider.offline }
        return GetFilesResponse(
            files: files.filter { $0.parentId == id && $0.trashedAt == nil },
            pagination: PaginationMetadata(next: nil, limit: 1000))
    }

    /// What a file holds, by its name.
    func bytes(_ name: String) -> [UInt8]? {
        state.withLock { state in state.nodes.values.first { $0.file.name == name && $0.file.trashedAt == nil }?.content
        }
    }
}
