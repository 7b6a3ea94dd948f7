import BothyContent
import BothyContract
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// One file of a batch, as a test sends it.
struct BatchItem {
    var metadata: String
    var content: [UInt8]

    /// With the hash of what it holds.
    init(_ name: String, _ content: [UInt8], id: String? = nil, _ change: (inout UploadRequest) -> Void = { _ in }) {
        var request = UploadRequest(
            requestId: id ?? "\(name)-id".replacing(" ", with: "-"), name: name,
            fileHashSha256: SHA256Hasher.hash(content))
        change(&request)
        self.init(metadata: String(decoding: try! WireCoding.encodeStably(request), as: UTF8.self), content: content)
    }

    init(metadata: String, content: [UInt8]) {
        self.metadata = metadata
        self.content = content
    }

    /// As one that starts a session.
    var withoutContent: BatchItem { BatchItem(metadata: metadata, content: []) }

    var bytes: [UInt8] {
        BatchHead(metadataBytes: metadata.utf8.count, contentBytes: content.count).bytes + Array(metadata.utf8)
            + content
    }
}

extension UploadWorld {
    func tryBatch(
        _ items: [BatchItem], as caller: TestCaller = .kitchen, type: String = File.defaultMimeType
    ) async throws -> TestAnswer {
        try await server.send(
            .post, "/v1/upload/batch", as: caller, body: ByteBuffer(bytes: items.flatMap(\.bytes)),
            headers: [.contentType: type])
    }

    func batch(_ items: [BatchItem], as caller: TestCaller = .kitchen) async throws -> [UploadBatchOutcome] {
        let answer = try await tryBatch(items, as: caller)
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.json(UploadBatchResponse.self).items
    }

    /// What is stored under a name in the root.
    func content(of name: String) async throws -> [UInt8] {
        let file = try #require(
            try await server.list("parentId=root", limit: 1000).first { $0.name == name }, "no \(name)")
        return Array(try await read(file).body.readableBytesView)
    }
}
