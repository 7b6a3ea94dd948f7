import BothyServer
import Foundation
import Logging
import Testing

@Suite struct DataFolderTests {
    private func words(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return ""
        } catch let fault as ServerFault {
            return fault.description
        }
    }

    @Test func isMadeForItsOwnerAlone() throws {
        let folder = DataFolder(path: try TemporaryFolder().file("a/b"))
        try folder.prepare(mustExist: false)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func anEmptyOneIsRefusedWhereDataShouldBe() throws {
        let home = try TemporaryFolder()
        let said = try words { try DataFolder(path: home.path).prepare(mustExist: true) }
        #expect(said.contains(home.path) && said.contains("mounted"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    /// A server that began anew there would take every pack for garbage.
    @Test(arguments: [nil, 0]) func packsWithoutTheirDatabaseAreLeftAlone(databaseBytes: Int?) throws {
        let home = try TemporaryFolder()
        let folder = DataFolder(path: home.path)
        try FileManager.default.createDirectory(atPath: folder.packs, withIntermediateDirectories: false)
        try Data([1]).write(to: URL(fileURLWithPath: folder.packs + "/content"))
        if let databaseBytes { try Data(count: databaseBytes).write(to: URL(fileURLWithPath: folder.database)) }
        let said = try words { try folder.prepare(mustExist: false) }
        #expect(said.contains("packs") && said.contains("no database"))
        try Data([1]).write(to: URL(fileURLWithPath: folder.database))
        try folder.prepare(mustExist: true)
    }

    @Test func aFolderOfOtherThingsIsLeftAlone() throws {
        let home = try TemporaryFolder()
        try "x".write(toFile: home.file("letters.txt"), atomically: true, encoding: .utf8)
        #expect(try words { try DataFolder(path: home.path).prepare(mustExist: false) }.contains("letters.txt"))
        #expect(
            try words { try DataFolder(path: home.file("letters.txt")).prepare(mustExist: false) }.contains("is a file")
        )
    }

    @Test func twoServersCannotUseOneFolder() async throws {
        let home = try TemporaryFolder()
        let folder = DataFolder(path: home.path)
        var first: FolderLock? = try FolderLock(folder)
        let said = try words { _ = try FolderLock(folder) }
        #expect(said.contains(home.path) && said.contains("process \(getpid())"))
        withExtendedLifetime(first) {}
        first = nil
        _ = try FolderLock(folder)
    }

    /// Who takes a folder away unlinks its lock: another server had opened it, and held what has no name.
    @Test func aLockThatIsTakenAwayMeanwhileIsNone() throws {
        let home = try TemporaryFolder()
        let folder = DataFolder(path: home.path)
        let alone = try words { _ = try FolderLock(folder) { unlink(folder.lock) } }
        #expect(alone.contains("Another Bothy") && alone.contains(home.path))
        var other: FolderLock?
        let second = try words {
            _ = try FolderLock(folder) {
                unlink(folder.lock)
                other = try? FolderLock(folder)
            }
        }
        #expect(other != nil && second.contains("Another Bothy"))
        withExtendedLifetime(other) {}
        other = nil
        _ = try FolderLock(folder)
    }

    #if os(Linux)
        /// A program that is just being started has a copy of every descriptor until it runs.
        @Test func aLockIsLetGoOfThoughAProgramIsBeingStarted() throws {
            let home = try TemporaryFolder()
            let folder = DataFolder(path: home.path)
            var lock: FolderLock? = try FolderLock(folder)
            withExtendedLifetime(lock) {}
            let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { number in
                // Others come and go meanwhile.
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == folder.lock
            }
            let copy = dup(try #require(held.flatMap { Int32($0) }))
            defer { close(copy) }
            lock = nil
            _ = try FolderLock(folder)
        }
    #endif

    private struct NoPages: Error {}

    private func firstStart(
        in home: TemporaryFolder, _ data: String = "some/place/data", tls: Bool, meanwhile: () throws -> Void = {}
    ) async throws {
        var config = ServerConfig()
        config.data = home.file(data)
        config.listen = ListenAddress(host: "127.0.0.1", port: 0)
        config.minFree = 0
        if tls {
            config.tls = ServerConfig.TLSFiles(certificate: home.file("none.pem"), key: home.file("none.key"))
        }
        let assembly = try await ServerAssembly.make(
            config, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { _ in
            try meanwhile()
            if tls { return [] }
            throw NoPages()
        }
        try await assembly.run { _ in }
    }

    /// An empty data folder that nobody asked for passed for a server that had lost everything.
    @Test(arguments: [false, true]) func aFirstStartThatFailsLeavesNothing(tls: Bool) async throws {
        let home = try TemporaryFolder()
        await #expect(throws: (any Error).self) { try await firstStart(in: home, tls: tls) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
        // What was there before stays, with what was in it.
        let data = DataFolder(path: home.file("some/place/data"))
        try data.prepare(mustExist: false)
        await #expect(throws: (any Error).self) { try await firstStart(in: home, tls: tls) }
        #expect(data.isInUse)
    }

    /// All that lay in the folder went with it.
    @Test(arguments: [false, true]) func aFirstStartThatFailsLeavesWhatIsNotItsOwn(tls: Bool) async throws {
        let home = try TemporaryFolder()
        let data = DataFolder(path: home.file("some/place/data"))
        await #expect(throws: (any Error).self) {
            try await firstStart(in: home, tls: tls) {
                try Data([1]).write(to: URL(fileURLWithPath: data.path + "/letters.txt"))
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == ["letters.txt"])
    }

    @Test func whatWasMadeAboveAFolderThatCannotBeMadeGoesAgain() async throws {
        let home = try TemporaryFolder()
        let long = "p/q/" + String(repeating: "x", count: 300)
        await #expect(throws: ServerFault.self) { try await firstStart(in: home, long, tls: false) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    @Test func olderCopiesOfTheDatabaseGoOnceAReleaseHasStarted() async throws {
        let home = try TemporaryFolder()
        try await AccountServer.with(folder: home) { _ in }
        let database = DataFolder(path: home.file("data")).database
        for number in [2, 9, 10] { try Data([1]).write(to: URL(fileURLWithPath: "\(database).before-\(number)")) }
        try await AccountServer.with(folder: home) { _ in }
        let kept = [2, 9, 10].filter { FileManager.default.fileExists(atPath: "\(database).before-\($0)") }
        #expect(kept == [9, 10])
    }

    @Test func aDatabaseCutInHalfIsRefusedInWords() async throws {
        let home = try TemporaryFolder()
        try await AccountServer.with(folder: home) { server in
            for index in 0..<20 { _ = try await server.register("a\(index)@example.org") }
        }
        let database = DataFolder(path: home.file("data")).database
        for side in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: database + side) {
            try FileManager.default.removeItem(atPath: database + side)
        }
        let size = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int ?? 0
        truncate(database, size / 2)
        await #expect(throws: ServerFault.self) { try await AccountServer.with(folder: home) { _ in } }
    }
}
