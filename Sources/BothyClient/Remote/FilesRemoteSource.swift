import BothyContract

/// Files and folders as the server tells them. One call a method; nothing is kept here.
package struct FilesRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    /// - Parameter retries: none for a caller that tries again by itself.
    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    /// What a list is of.
    package enum Listing: Equatable, Sendable {
        case folder(String, FileOrder?)
        case trash, starred

        fileprivate var folder: (id: String, order: FileOrder?)? {
            if case .folder(let id, let order) = self { (id, order) } else { nil }
        }
    }

    package func page(of listing: Listing, page: String?, limit: Int?) async throws -> GetFilesResponse {
        let target = WireRequest.path(
            ["v1", "files"],
            [
                QueryNames.parentId: listing.folder?.id, QueryNames.orderBy: listing.folder?.order?.rawValue,
                QueryNames.trashed: listing == .trash ? "true" : nil,
                QueryNames.starred: listing == .starred ? "true" : nil,
                QueryNames.page: page, QueryNames.limit: limit.map(String.init),
            ])
        return try await network.fetch(GetFilesResponse.self, WireRequest(.GET, target, retries: retries))
    }

    package func file(_ id: String, priority: TrafficPriority = .interactive) async throws -> File {
        let request = WireRequest(
            .GET, WireRequest.path(["v1", "files", id]), priority: priority, retries: retries)
        return try await network.fetch(File.self, request)
    }

    package func file(atPath path: String) async throws -> File {
        try await network.fetch(
            File.self,
            WireRequest(.GET, WireRequest.path(["v1", "files", "by-path"], [QueryNames.path: path]), retries: retries))
    }

    package func create(_ request: CreateFileRequest) async throws -> File {
        try await changed(.json(.POST, "/v1/files", request, retries: retries))
    }

    /// - Parameter version: refuse with `changedMeanwhile` when the file is at another one.
    package func update(_ id: String, _ update: UpdateFileRequest, ifMatch etag: String?) async throws -> File {
        var request = try WireRequest.json(.PATCH, WireRequest.path(["v1", "files", id]), update, retries: retries)
        if let etag { request.headers.add(name: "If-Match", value: etag) }
        return try await changed(request)
    }

    package func copy(_ id: String, _ request: CopyFileRequest) async throws -> File {
        try await changed(.json(.POST, WireRequest.path(["v1", "files", id, "copy"]), request, retries: retries))
    }

    private func changed(_ request: WireRequest) async throws -> File {
        let answer = try await network.send(request)
        let file = try answer.decoded(as: File.self)
        network.note(file, changedBy: answer)
        return file
    }

    /// - Parameter etag: refuse with `changedMeanwhile` when it is at another version.
    /// - Returns: the version that it has in the trash; nil for what is gone for good.
    @discardableResult
    package func delete(
        _ id: String, permanently: Bool, asOf cursor: String?, baseRevisionId: String?, ifMatch etag: String? = nil,
        requestId: String
    ) async throws -> Int64? {
        let target = WireRequest.path(
            ["v1", "files", id],
            [
                QueryNames.permanent: permanently ? "true" : nil, QueryNames.asOf: cursor,
                QueryNames.baseRevisionId: baseRevisionId,
            ])
        var request = WireRequest(
            .DELETE, target, headers: [HeaderNames.idempotencyKey: requestId], retries: retries)
        if let etag { request.headers.add(name: "If-Match", value: etag) }
        let answer = try await network.send(request)
        network.note(nil, changedBy: answer)
        return answer.headers.first(name: "ETag").flatMap(EntityTag.init(text:))?.version
    }
}
