import BothyServer
import Foundation
import Logging
import Testing

/// Each route is in `openapi.yaml`, and each operation of `openapi.yaml` has a route.
@Suite struct RoutesMatchDocumentTests {
    @Test func everyRouteIsDocumentedAndEveryOperationIsRouted() async throws {
        let routed = try await Self.routes()
        // GET routes answer HEAD by themselves; the document tells of it where a client has use for it.
        let documented = try OpenAPIDocument().operations().map(\.route).filter { !$0.hasPrefix("HEAD ") }
        #expect(routed.subtracting(documented).sorted() == [], "routes that openapi.yaml does not know")
        #expect(Set(documented).subtracting(routed).sorted() == [], "operations that no route answers")
    }

    @Test func everyDocumentedHeadHasItsGet() throws {
        let documented = Set(try OpenAPIDocument().operations().map(\.route))
        for route in documented where route.hasPrefix("HEAD ") {
            #expect(documented.contains("GET " + route.dropFirst(5)))
        }
    }

    @Test func everyParameterIsExplainedAndEveryBodyShown() throws {
        let document = try OpenAPIDocument()
        for operation in try document.operations() {
            for parameter in operation.parameters {
                #expect(parameter["description"] is String, "\(operation.route): \(parameter["name"] ?? "?")")
            }
            for (place, body) in try document.jsonBodies(of: operation) {
                #expect(body["example"] != nil || body["examples"] != nil, "\(operation.route): \(place)")
            }
        }
    }

    private static func routes() async throws -> Set<String> {
        let folder = try TemporaryFolder()
        var config = ServerConfig()
        config.data = folder.file("data")
        let assembly = try await ServerAssembly.make(config, logger: Logger(label: "test"))
        let routes = assembly.router.routes.filter { $0.method != .head }
        try await assembly.services.close()
        return Set(routes.map { OpenAPIDocument.route(method: $0.method.rawValue, path: $0.path) })
    }
}
