@testable import BothyClient
import Dispatch
import Testing

/// Many renames into one folder, and its few syncs.
@Suite struct FolderSyncsTests {
    private let disk = FaultyDisk()
    private let gate = DispatchSemaphore(value: 0)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The first of them is under way, and so many more wait.
    private func begin(_ syncs: FolderSyncs, waiting count: Int) async throws -> [Task<Void, any Error>] {
        disk.holdFolderSyncs(at: gate)
        let path = folder.path
        var tasks = [Task { try await syncs.sync(path) }]
        while disk.folderSyncs == 0 { await Task.yield() }
        for _ in 0..<count { tasks.append(Task { try await syncs.sync(path) }) }
        while await (syncs.waiting[path]?.count ?? 0) != count { await Task.yield() }
        return tasks
    }

    @Test func whoComesDuringASyncSharesTheNext() async throws {
        let syncs = FolderSyncs(disk)
        let tasks = try await begin(syncs, waiting: 5)
        gate.signal()
        try await tasks[0].value
        while disk.folderSyncs == 1 { await Task.yield() }
        gate.signal()
        for task in tasks { try await task.value }
        #expect(disk.folderSyncs == 2)
    }

    @Test func oneFolderDoesNotWaitForAnother() async throws {
        let syncs = FolderSyncs(disk)
        let other = try TemporaryFolder()
        let tasks = try await begin(syncs, waiting: 0) + [Task { try await syncs.sync(other.path) }]
        while disk.folderSyncs < 2 { await Task.yield() }
        gate.signal()
        gate.signal()
        for task in tasks { try await task.value }
    }

    @Test func aRefusalIsToldToAllWhoWaitedForItAndToNobodyAfter() async throws {
        let syncs = FolderSyncs(disk)
        let tasks = try await begin(syncs, waiting: 3)
        disk.fail(.syncFolder, after: 1)
        gate.signal()
        gate.signal()
        try await tasks[0].value
        for task in tasks.dropFirst() {
            await #expect(throws: ClientFailure.self) { try await task.value }
        }
        gate.signal()
        try await syncs.sync(folder.path)
        #expect(disk.folderSyncs == 3)
    }
}
