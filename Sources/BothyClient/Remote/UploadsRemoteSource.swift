import BothyContent
import BothyContract
import NIOCore
import NIOHTTP1

/// Upload sessions as the server tells them. Nothing is retried here: the transfer decides.
package struct UploadsRemoteSource: Sendable {
    let network: NetworkDispatcher
    /// For bodies that hold whole files.
    let compressed: CompressedSending

    package init(network: NetworkDispatcher) {
        self.network = network
        compressed = CompressedSending(network: network)
    }

    package func start(_ request: UploadRequest) async throws -> UploadResponse {
        try told(
            by: await network.send(
                .json(.POST, Self.beginning("resumable"), request, priority: .transfer, retries: .none)))
    }

    /// Where an upload begins whose bytes come in a way of the server's.
    private static func beginning(_ type: String) -> String {
        WireRequest.path(["v1", "upload"], [QueryNames.uploadType: type])
    }

    package func status(_ session: String) async throws -> UploadResponse {
        try told(by: await network.send(WireRequest(.GET, path(session), priority: .transfer, retries: .none)))
    }

    /// What an answer tells of a session, and of the file where it has become one.
    private func told(by answer: WireResponse) throws -> UploadResponse {
        let upload = try answer.decoded(as: UploadResponse.self)
        if let file = upload.file { network.note(file, changedBy: answer) }
        return upload
    }

    /// Names more blocks of an open plan; as runs of the basis where that has them.
    package func extendPlan(
        of session: String, _ request: ExtendPlanRequest, knowing basis: UploadBasis?
    ) async throws -> ExtendPlanResponse {
        if let basis {
            do {
                return try await name(
                    basis.names(request.blocks), from: request.from, base: basis.revisionId, in: session)
            } catch let failure as ClientFailure where failure.problem?.code == .planInvalid {
                // The server has no such revision any more: blocks go by their own names.
            }
        }
        return try await name(request.blocks.map { .block($0) }, from: request.from, base: nil, in: session)
    }

    private func name(
        _ names: [NamedBlocks], from: Int, base: String?, in session: String
    ) async throws -> ExtendPlanResponse {
        let target = WireRequest.path(
            ["v1", "upload", session, "plan"], [QueryNames.from: String(from), QueryNames.base: base])
        return try await network.fetch(
            ExtendPlanResponse.self,
            WireRequest(
                .POST, target, headers: ["Content-Type": BlockReference.listMediaType],
                body: .bytes(ByteBuffer(bytes: NamedBlocks.bytes(of: names))), priority: .transfer, retries: .none
            ).withDigest())
    }

    /// Whole chunks of a plan, side by side.
    package struct Chunks: Sendable {
        package var bytes: ByteBuffer
        /// Of all of `bytes`, which the server checks before it keeps anything; nil where the plan names the hash of each chunk in it.
        package var hash: ContentHash?
        package var range: ContentRange

        package init(bytes: ByteBuffer, hash: ContentHash?, range: ContentRange) {
            self.bytes = bytes
            self.hash = hash
            self.range = range
        }
    }

    /// How the server took chunks.
    package struct Taken: Sendable {
        package var status: Int
        package var answer: UploadResponse
        /// Bytes that were sent for it.
        package var carried: Int64
        /// Whether the server has not what a patch was made for: it will refuse the next one as well.
        package var lacksBasis = false
    }

    /// Sends chunks; as a patch of the basis where that is worth it, and else compressed where they shrink.
    ///
    /// - Parameters:
    ///   - begins: told how many bytes go before they do.
    ///   - handed: told of them as the connection takes them; of a patch, which is small, not.
    package func send(
        _ chunks: Chunks, to session: String, knowing basis: UploadBasis?, begins: (Int) -> Void = { _ in },
        handed: (@Sendable (Int) -> Void)? = nil
    ) async throws -> Taken {
        var (carried, lacksBasis): (Int64, Bool) = (0, false)
        var (patch, base) = (basis?.patch(making: chunks.bytes), basis?.revisionId)
        if patch == nil { (patch, base) = (try await compressed.patch(making: chunks.bytes), nil) }
        if let patch {
            begins(patch.readableBytes)
            carried += Int64(patch.readableBytes)
            let target = WireRequest.path(["v1", "upload", session, "chunk"], [QueryNames.base: base])
            do {
                return try await put(patch, PatchRequest.patchMediaType, chunks, target, carried: carried)
            } catch let failure as ClientFailure where Self.isPatchRefused(failure) {
                // What was guessed of the drive's bytes is wrong: these are sent, which settles it.
                let isUnknown = failure.problem?.code == .patchInvalid
                lacksBasis = isUnknown && base != nil
                if isUnknown, base == nil { compressed.giveUpPatches() }
            }
        }
        begins(chunks.bytes.readableBytes)
        carried += Int64(chunks.bytes.readableBytes)
        var taken = try await put(
            chunks.bytes, File.defaultMimeType, chunks, path(session, "chunk"), carried: carried, handed: handed)
        taken.lacksBasis = lacksBasis
        return taken
    }

    private func put(
        _ body: ByteBuffer, _ type: String, _ chunks: Chunks, _ target: String, carried: Int64,
        handed: (@Sendable (Int) -> Void)? = nil
    ) async throws -> Taken {
        var headers: HTTPHeaders = ["Content-Range": chunks.range.text, "Content-Type": type]
        if let hash = chunks.hash { headers.add(name: HeaderNames.chunkHash, value: "sha256=\(hash.hex)") }
        let request = WireRequest(
            .PUT, target, headers: headers, body: .bytes(body), priority: .transfer, retries: .none, handed: handed)
        let response = try await network.send(request, accepting: [308])
        return Taken(status: response.status, answer: try told(by: response), carried: carried)
    }

    private static func isPatchRefused(_ failure: ClientFailure) -> Bool {
        switch failure.problem?.code.known {
        case .patchInvalid, .chunkCorrupt, .contentCorrupt, .lengthMismatch, .bodyTooLarge: true
        default: false
        }
    }

    /// How the server took a whole file.
    package struct Stored: Sendable {
        package var status: Int
        package var file: UploadedFile
        /// All of what it says of the file, as far as that is known: the answer to a batch does not tell what somebody else has made of it.
        package var whole: File?
    }

    /// A whole small file with its metadata in one request, whose bytes are the same each time that it is sent.
    ///
    /// - Parameter handed: told of bytes as the connection takes them, those around the content included.
    package func sendWhole(
        _ content: ByteBuffer, _ request: UploadRequest, handed: (@Sendable (Int) -> Void)? = nil
    ) async throws -> Stored {
        var request = request
        // In what the digest covers, and not in a part's header alone.
        request.mimeType = request.mimeType ?? File.defaultMimeType
        let metadata = try WireCoding.encodeStably(request)
        let hash = SHA256Hasher.hash(Array(metadata))
        // Made from the content's own hash, so that the content cannot have it inside.
        let boundary = "bothy-\(hash.hex)"
        var head = ByteBuffer()
        head.writeString("--\(boundary)\r\nContent-Type: application/json\r\n")
        head.writeString("\(HeaderNames.contentDigest): \(hash.digestField)\r\n\r\n")
        head.writeBytes(metadata)
        head.writeString("\r\n--\(boundary)\r\nContent-Type: \(request.mimeType ?? File.defaultMimeType)\r\n")
        head.writeString("Content-Length: \(content.readableBytes)\r\n\r\n")
        let tail = ByteBuffer(string: "\r\n--\(boundary)--\r\n")
        let response = try await compressed.send(
            WireRequest(
                .POST, Self.beginning("multipart"),
                headers: ["Content-Type": "multipart/related; boundary=\(boundary)"],
                body: .pieces([head, content, tail]),
                priority: .transfer, retries: .none, handed: handed))
        let file = try response.decoded(as: File.self)
        network.note(file, changedBy: response)
        return Stored(status: response.status, file: UploadedFile(file), whole: file)
    }

    package func finalize(_ session: String, _ request: FinalizeRequest) async throws -> FinalizeResponse {
        let response = try await network.send(
            .json(.POST, path(session, "finalize"), request, priority: .transfer, retries: .none))
        let answer = try response.decoded(as: FinalizeResponse.self)
        network.note(answer.file, changedBy: response)
        return answer
    }

    package func cancel(_ session: String) async throws {
        _ = try await network.send(WireRequest(.DELETE, path(session), priority: .background))
    }

    /// The session's own path, whatever address the server names for it: bytes go to the server signed in to.
    private func path(_ session: String, _ rest: String...) -> String {
        WireRequest.path(["v1", "upload", session] + rest)
    }
}
