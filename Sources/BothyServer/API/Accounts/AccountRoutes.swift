import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `GET /v1/account/export` and `DELETE /v1/account`: taking one's own along, and leaving.
package struct AccountRoutes: APIRoutes {
    private let accounts: Accounts
    private let export: AccountExport

    package init(accounts: Accounts, export: AccountExport) {
        self.accounts = accounts
        self.export = export
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/account/export", use: download)
        group.delete("v1/account") { request, context -> Response in
            try request.requireJSON()
            let bytes = try await request.collect(for: context, upTo: Self.largestBody)
            let body = try WireCoding.decode(DeleteAccountRequest.self, from: Data(buffer: bytes))
            try await accounts.leave(
                password: body.password, caller: try context.requireCaller(), from: context.client.origin)
            return Response(status: .noContent)
        }
    }

    /// Bytes of JSON.
    private static let largestBody = 16 << 10

    @Sendable private func download(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        // The first page is read before the answer begins: what fails then is a problem document.
        let beginning = try await export.beginning(for: caller)
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"account.json\"",
        ]
        let body = ResponseBody { [export] writer in
            try await writer.write(ByteBuffer(data: beginning))
            for part in AccountExport.Part.allCases {
                try await export.write(part, for: caller) { try await writer.write(ByteBuffer(data: $0)) }
            }
            try await writer.write(ByteBuffer(string: "}\n"))
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
