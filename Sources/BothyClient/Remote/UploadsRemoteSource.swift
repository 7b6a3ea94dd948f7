import BothyContent
import BothyContract
import NIOCore
import NIOHTTP1

/// Upload sessions as the server tells them. Nothing is retried here: the transfer decides.
package struct UploadsRemoteSource: Sendable {
    let network: NetworkDispatcher

    package init(network: NetworkDispatcher) { self.network = network }

    package func start(_ request: UploadRequest) async throws -> UploadResponse {
        try await network.fetch(
            UploadResponse.self,
            .json(.POST, "/v1/upload?uploadType=resumable", request, priority: .transfer, retries: .none))
    }

    package func status(_ session: String) async throws -> UploadResponse {
        try await network.fetch(
            UploadResponse.self, WireRequest(.GET, path(session), priority: .transfer, retries: .none))
    }

    /// One chunk, with its hash, which the server checks before it keeps anything.
    package func send(
        _ bytes: ByteBuffer, hash: ContentHash, range: ContentRange, to session: String
    ) async throws -> (status: Int, answer: UploadResponse) {
        let request = WireRequest(
            .PUT, path(session, "chunk"),
            headers: [
                "Content-Range": range.text, HeaderNames.chunkHash: "sha256=\(hash.hex)",
                "Content-Type": File.defaultMimeType,
            ],
            body: .bytes(bytes), priority: .transfer, retries: .none)
        let response = try await network.send(request, accepting: [308])
        return (response.status, try response.decoded(as: UploadResponse.self))
    }

    /// A whole small file with its metadata in one request, whose bytes are the same each time that it is sent.
    package func sendWhole(_ content: ByteBuffer, _ request: UploadRequest) async throws
        -> (status: Int, file: UploadedFile)
    {
        let metadata = try WireCoding.encodeStably(request)
        // Made from the content's own hash, so that the content cannot have it inside.
        let boundary = "bothy-\(SHA256Hasher.hash(Array(metadata)).hex)"
        var body = ByteBuffer()
        body.reserveCapacity(metadata.count + content.readableBytes + 512)
        body.writeString("--\(boundary)\r\nContent-Type: application/json\r\n\r\n")
        body.writeBytes(metadata)
        body.writeString("\r\n--\(boundary)\r\nContent-Type: \(request.mimeType ?? File.defaultMimeType)\r\n\r\n")
        body.writeImmutableBuffer(content)
        body.writeString("\r\n--\(boundary)--\r\n")
        let response = try await network.send(
            WireRequest(
                .POST, "/v1/upload?uploadType=multipart",
                headers: ["Content-Type": "multipart/related; boundary=\(boundary)"], body: .bytes(body),
                priority: .transfer, retries: .none))
        return (response.status, try response.decoded(as: UploadedFile.self))
    }

    package func finalize(_ session: String, _ request: FinalizeRequest) async throws -> FinalizeResponse {
        try await network.fetch(
            FinalizeResponse.self, .json(.POST, path(session, "finalize"), request, priority: .transfer, retries: .none)
        )
    }

    package func cancel(_ session: String) async throws {
        _ = try await network.send(WireRequest(.DELETE, path(session), priority: .background))
    }

    /// The session's own path, whatever address the server names for it: bytes go to the server signed in to.
    private func path(_ session: String, _ rest: String...) -> String {
        WireRequest.path(["v1", "upload", session] + rest)
    }
}
