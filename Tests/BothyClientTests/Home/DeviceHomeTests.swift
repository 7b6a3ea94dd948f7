import BothyClient
import BothyContract
import Foundation
import GRDB
import Testing

@Suite struct DeviceHomeTests {
    private func mode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
    }

    @Test func manyCanOpenANewHomeAtOnce() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<10 {
            let path = folder.file("home-\(round).sqlite")
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await ClientDatabase(path: path).close() } }
                try await group.waitForAll()
            }
        }
    }

    @Test func secretsAreReadableByTheirOwnerAlone() async throws {
        let device = try await TestDevice("http://127.0.0.1:1")
        let home = device.home.directory
        #expect(try mode("\(home)/secrets/session.json") == 0o600)
        #expect(try mode("\(home)/content") == 0o700)
        #expect(try mode("\(home)/client.sqlite") & 0o077 == 0)
        try await device.close()
    }

    @Test func aHomeThatIsAFileIsNamed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("home", [1])
        await #expect { try await DeviceHome.open(at: folder.file("home")) } throws: {
            ($0 as? ClientFailure)?.code == .homeUnusable
        }
    }

    @Test func aHomeOfANewerBothyIsRefusedInWords() async throws {
        let folder = try TemporaryFolder()
        try await DeviceHome.open(at: folder.file("home")).close()
        let queue = try DatabaseQueue(path: folder.file("home/client.sqlite"))
        try await queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 from the future')")
        }
        try queue.close()
        await #expect { try await DeviceHome.open(at: folder.file("home")) } throws: {
            ($0 as? ClientFailure)?.code == .homeNewer
        }
    }

    @Test func aDamagedDatabaseIsNamed() async throws {
        let folder = try TemporaryFolder()
        try await DeviceHome.open(at: folder.file("home")).close()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.file("home"))
        where file.hasPrefix("client.sqlite-") {
            try FileManager.default.removeItem(atPath: folder.file("home/\(file)"))
        }
        try folder.write("home/client.sqlite", [UInt8](repeating: 7, count: 10_000))
        await #expect { try await DeviceHome.open(at: folder.file("home")) } throws: {
            ($0 as? ClientFailure)?.code == .homeUnusable
        }
    }

    @Test func aRateLimitLastsOverProcesses() async throws {
        let folder = try TemporaryFolder()
        let first = try await DeviceHome.open(at: folder.file("home"))
        try await first.settings.setRateLimit(1_000_000)
        try await first.close()
        let second = try await DeviceHome.open(at: folder.file("home"))
        #expect(try await second.settings.rateLimit() == 1_000_000)
        try await second.settings.setRateLimit(nil)
        #expect(try await second.settings.rateLimit() == nil)
        try await second.close()
    }

    @Test(arguments: [
        (["BOTHY_HOME": "/x"], "/x"), (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/bothy"),
        (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/bothy"),
        (["HOME": "/h"], "/h/.local/share/bothy"),
    ]) func theHomeIsWhereTheEnvironmentSays(environment: [String: String], directory: String) {
        #expect(DeviceHome.defaultDirectory(environment: environment) == directory)
    }

    @Test func everyFailureHasARemedy() {
        for code in FailureCode.allCases {
            #expect(code.remedy.hasSuffix("."), "\(code)")
            #expect(code.remedy.count > 10, "\(code)")
        }
    }
}
