import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// A person who posts, and another who reads.
struct MediaWorld {
    let server: AccountServer
    let ann: SessionResponse
    let ben: SessionResponse

    init(_ server: AccountServer) async throws {
        self.server = server
        (ann, ben) = (try await server.register("ann@example.org"), try await server.register("ben@example.org"))
    }

    func put(_ content: [UInt8], _ mimeType: String) async throws -> File {
        let answer = try await server.send(
            .post, "/v1/upload?uploadType=media&name=\(UUID().uuidString)", token: ann.accessToken,
            body: ByteBuffer(bytes: content), headers: [.contentType: mimeType])
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.json()
    }

    /// A post that shows the file.
    func post(_ file: File, _ type: AttachmentType) async throws -> Int64 {
        try await server.services.posts.create(
            NewPostRequest(
                requestId: nil, content: "",
                attachments: [NewAttachment(type: type, contentUrl: try #require(file.downloadUrl))]),
            identity: .none(for: "test"), for: ann.caller
        ).answer.postId
    }

    /// The attachment of a post that shows the file, as somebody has it.
    func posted(_ file: File, _ type: AttachmentType, for reader: SessionResponse) async throws
        -> BothyContract.Attachment
    {
        let post = try await server.services.posts.find(try await post(file, type), for: reader.caller)
        return try #require(post.attachments.first)
    }

    func get(
        _ address: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) async throws -> TestAnswer { try await server.send(method, address, headers: headers) }
}
