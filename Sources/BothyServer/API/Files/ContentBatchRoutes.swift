import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `POST /v1/content/batch`: decodes, asks ``ContentBatches``, streams what it reads.
package struct ContentBatchRoutes: APIRoutes {
    private let batches: ContentBatches
    private let packing = AnswerPacking()

    /// Bytes of a request that names as many revisions as it may, each with room to spare.
    private static let largestRequest = 64 << 10

    package init(database: any Database, packs: any PackStore) {
        batches = ContentBatches(database: database, packs: packs)
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/content/batch", use: post)
    }

    private func post(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        try request.requireJSON()
        let body = try await request.collect(for: context, upTo: Self.largestRequest)
        let wish = try WireCoding.decode(ContentBatchRequest.self, from: Data(buffer: body))
        let items = try await batches.find(wish, for: caller)
        let opened = try await batches.open(items)
        var headers: HTTPFields = [
            .contentType: File.defaultMimeType, .cacheControl: "no-store", .vary: "Accept-Encoding",
        ]
        let packed = try await packed(opened, for: request)
        if packed != nil { headers[.contentEncoding] = ContentCodings.zstd }
        let answer = ResponseBody { [batches] writer in
            try await batches.send(opened) { piece in
                try await writer.write(packed?.pack(piece) ?? piece)
            }
            if let packed { try await writer.write(packed.end()) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: answer)
    }

    /// - Returns: nil where the answer goes plain.
    private func packed(_ opened: ContentBatches.Opened, for request: Request) async throws -> PackedAnswer? {
        guard WeightedNames(request.headers[.acceptEncoding]).take(ContentCodings.zstd) else { return nil }
        return try await packing.begin(
            with: opened.first, isSmallAtRest: opened.isSmallAtRest, frameBytes: ContentBatches.frameBytes)
    }
}
