import BothyContract
import Foundation
import Testing

@testable import BothyServer

@Suite struct OperationsTests {
    @Test func itIsHealthyReadyAndDescribesItself() async throws {
        try await AccountServer.with { server in
            #expect(try await server.send(.get, "/healthz").text == #"{"status":"ok"}"#)
            #expect(try await server.send(.get, "/readyz").status == 200)
            let document = try await server.send(.get, "/openapi.yaml")
            #expect(document.text.hasPrefix("openapi: 3.1") && document.headers[.contentType] == "application/yaml")
            #expect(try await server.send(.get, "/metrics").code == .notFound, "it has a listener of its own")
        }
    }

    @Test func aStoreThatFailedIsNotReady() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        try await database.close()
        try await AccountServer.with { server in
            let readiness = Readiness(database: database, packs: server.services.packs, clock: server.clock)
            #expect(try await problemCode { try await readiness.check() } == .storeFailed)
            try await Readiness(
                database: server.services.database, packs: server.services.packs, clock: server.clock
            ).check()
        }
    }

    /// Its disk had turned read-only: everything answered, and nothing was kept.
    @Test func aDiskThatTakesNoWritesIsNotReady() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        let readiness = Readiness(database: house.database, packs: house.packs, clock: house.clock)
        try await readiness.check()
        house.clock.advance(seconds: 2)
        disk.fail(after: 0, code: EROFS)
        #expect(try await problemCode { try await readiness.check() } == .storeFailed)
        let calls = disk.calls.count
        #expect(try await problemCode { try await readiness.check() } == .storeFailed)
        #expect(disk.calls.count == calls, "who asks often costs the disk nothing")
        house.clock.advance(seconds: 2)
        try await readiness.check()
        try await house.close()
    }

    /// 507 is said of a request; whoever watches the server is told that it is not ready.
    @Test func aDiskThatIsFullToTheLastByteIsNotReady() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        let readiness = Readiness(database: house.database, packs: house.packs, clock: house.clock)
        disk.fail(after: 2, code: ENOSPC)
        #expect(try await problemCode { try await readiness.check() } == .storeFailed)
        try await house.close()
    }

    @Test func metricsTellOfTheStore() async throws {
        try await AccountServer.with { server in
            let names = await server.services.gauges().map(\.name)
            #expect(names.contains("bothy_store_works") && names.contains("bothy_disk_free_bytes"))
        }
    }
}
