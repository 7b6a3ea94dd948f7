import BothyContent
import BothyContract
import NIOCore

/// A file's revisions as the server tells them.
package struct RevisionsRemoteSource: Sendable {
    private let network: NetworkDispatcher

    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func page(of fileId: String, page: String?, limit: Int?) async throws -> GetRevisionsResponse {
        let target = WireRequest.path(
            ["v1", "files", fileId, "revisions"], [QueryNames.page: page, QueryNames.limit: limit.map(String.init)])
        return try await network.fetch(GetRevisionsResponse.self, WireRequest(.GET, target, retries: retries))
    }

    package func revision(
        _ revisionId: String, of fileId: String, priority: TrafficPriority = .interactive
    ) async throws -> FileRevision {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId])
        return try await network.fetch(
            FileRevision.self, WireRequest(.GET, target, priority: priority, retries: retries))
    }

    /// The blocks of a revision, in order.
    ///
    /// - Throws: `answerInvalid` for what is no list of blocks, or is longer than `most`.
    package func blocks(of revisionId: String, of fileId: String, most: Int) async throws -> [BlockMark] {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId, "blocks"])
        let response = try await network.send(
            WireRequest(
                .GET, target, headers: ["Accept": BlockMark.listMediaType], priority: .transfer,
                answerLimit: most * BlockMark.listedBytes, retries: .none))
        guard let blocks = BlockMark.list(response.body.readableBytesView) else {
            throw ClientFailure(.answerInvalid, "The server's list of blocks cannot be read.")
        }
        return blocks
    }

    /// What the server knows a revision's bytes again by.
    ///
    /// - Throws: `answerInvalid` for what is no sketch.
    package func sketch(of revisionId: String, of fileId: String) async throws -> FragmentSketch {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId, "sketch"])
        let response = try await network.send(
            WireRequest(.GET, target, priority: .transfer, answerLimit: SketchFormat.mostBytes, retries: .none))
        guard let sketch = FragmentSketch(wire: response.body.readableBytesView) else {
            throw ClientFailure(.answerInvalid, "The server's sketch of a version cannot be read.")
        }
        return sketch
    }

    /// A patch that makes blocks of a revision out of others, or all of it, as it goes over the wire.
    package func patch(_ request: PatchRequest, of revisionId: String, of fileId: String) async throws -> ByteBuffer {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId, "patch"])
        var wire = try WireRequest.json(.POST, target, request, priority: .transfer, retries: .none)
        wire.answerLimit = request.base == nil ? UploadLimits.maximumPatchBody : Self.mostOfWholePatch
        return try await network.send(wire).body
    }

    /// Bytes. The frame of what neither shrinks nor is copied is a little longer than that.
    private static let mostOfWholePatch = Int(UploadLimits.maximumWholePatch) + 64 << 10

    package func restore(_ revisionId: String, of fileId: String, requestId: String) async throws
        -> RestoreRevisionResponse
    {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId, "restore"])
        return try await network.fetch(
            RestoreRevisionResponse.self,
            WireRequest(.POST, target, headers: [HeaderNames.idempotencyKey: requestId], retries: retries))
    }
}
