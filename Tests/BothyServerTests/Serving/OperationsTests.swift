import BothyContract
import BothyServer
import Testing

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
            let readiness = Readiness(database: database, packs: server.services.packs)
            await #expect(throws: (any Error).self) { try await readiness.check() }
            try await Readiness(database: server.services.database, packs: server.services.packs).check()
        }
    }

    @Test func metricsTellOfTheStore() async throws {
        try await AccountServer.with { server in
            let names = await server.services.gauges().map(\.name)
            #expect(names.contains("bothy_store_works") && names.contains("bothy_disk_free_bytes"))
        }
    }
}
