import BothyContract
import Hummingbird
import NIOCore

/// `GET /healthz`, `/readyz` and `/openapi.yaml`: for the server's operator.
package struct OperationsRoutes: APIRoutes {
    private struct Health: Encodable { var status = "ok" }

    private let readiness: Readiness

    package init(readiness: Readiness) { self.readiness = readiness }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("healthz") { _, _ -> Response in try Response.json(Health()) }
        group.get("readyz") { _, _ -> Response in
            try await readiness.check()
            return try Response.json(Health())
        }
        group.get("openapi.yaml") { _, _ -> Response in
            Response(
                status: .ok, headers: [.contentType: "application/yaml", .cacheControl: "no-cache"],
                body: .init(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_yaml)))
        }
    }
}
