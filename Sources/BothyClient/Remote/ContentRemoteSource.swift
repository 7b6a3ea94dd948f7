import BothyContent
import BothyContract
import NIOCore
import NIOHTTP1

/// Content as the server serves it.
package struct ContentRemoteSource: Sendable {
    let network: NetworkDispatcher
    private let files: FilesRemoteSource
    private let revisions: RevisionsRemoteSource

    package init(network: NetworkDispatcher, files: FilesRemoteSource, revisions: RevisionsRemoteSource) {
        self.network = network
        self.files = files
        self.revisions = revisions
    }

    /// - Parameter revisionId: nil for the head.
    package func lookUp(_ fileId: String, revisionId: String?) async throws -> RemoteContent {
        let file = try await files.file(fileId, priority: .transfer)
        guard !file.isFolder else { throw ClientFailure(.notAFile, "“\(file.name)” is a folder.") }
        guard let revisionId, revisionId != file.headRevisionId else {
            return RemoteContent(headOf: file)
        }
        let revision = try await revisions.revision(revisionId, of: fileId, priority: .transfer)
        return RemoteContent(
            revisionId: revision.revisionId, size: revision.size, checksum: revision.checksum,
            downloadUrl: revision.downloadUrl, modifiedAt: revision.modifiedAt, executable: file.executable)
    }

    /// The blocks of a revision, in order; as many of them as are worth looking for here.
    package func blocks(of revisionId: String, of fileId: String) async throws -> [BlockMark] {
        try await revisions.blocks(of: revisionId, of: fileId, most: Self.mostBlocks)
    }

    /// What the server knows a revision's bytes again by.
    package func sketch(of revisionId: String, of fileId: String) async throws -> FragmentSketch {
        try await revisions.sketch(of: revisionId, of: fileId)
    }

    /// A patch that makes blocks of a revision out of others, or all of it.
    package func patch(
        _ request: PatchRequest, of revisionId: String, of fileId: String
    ) async throws -> ByteBuffer {
        try await revisions.patch(request, of: revisionId, of: fileId)
    }

    /// More than version 1 of the parameters gives a file of 10 GiB.
    private static let mostBlocks = 16_384

    /// Fetches bytes of a revision into the sink, which checks the answer. The address is signed: no token goes along.
    ///
    /// - Parameters:
    ///   - range: never empty.
    ///   - isPlain: whether the sink takes nothing compressed.
    package func fetch(
        _ url: String, range: Range<Int64>, etag: String?, isPlain: Bool = true, into sink: any BodySink
    ) async throws {
        var headers: HTTPHeaders = ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
        if !isPlain {
            headers.add(name: HeaderNames.acceptManipulations, value: InstanceManipulations.packedRange)
        }
        if let etag { headers.add(name: "If-Range", value: etag) }
        _ = try await network.send(
            WireRequest(
                .GET, url, headers: headers, signed: false, priority: .transfer, answerLimit: 1 << 20, retries: .none),
            sink: sink)
    }
}
