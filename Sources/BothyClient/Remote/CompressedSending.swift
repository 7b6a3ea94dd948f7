import BothyContract
import NIOCore
import Synchronization

/// Sends bodies compressed where that makes them fewer, to a server that takes them so.
final class CompressedSending: Sendable {
    private let network: NetworkDispatcher
    /// An older release takes a frame for a body that it cannot read. That is asked once.
    private let isTaken = Mutex(true)
    /// The same of patches that copy nothing.
    private let arePatchesTaken = Mutex(true)

    init(network: NetworkDispatcher) { self.network = network }

    func send(_ request: WireRequest) async throws -> WireResponse {
        guard isTaken.withLock({ $0 }), let frame = try await CompressedBody.frame(of: request.body) else {
            return try await network.send(request)
        }
        var compressed = request
        compressed.body = .bytes(frame)
        compressed.headers.replaceOrAdd(name: "Content-Encoding", value: ContentCodings.zstd)
        do {
            // A frame that was changed on the way must not pass for one that the server does not understand.
            return try await network.send(compressed.withDigest())
        } catch let failure as ClientFailure where Self.isNotUnderstood(failure) {
            let response = try await network.send(request)
            isTaken.withLock { $0 = false }
            return response
        }
    }

    /// A patch that makes the bytes of chunks out of nothing.
    ///
    /// - Returns: nil where they had better go as they are.
    func patch(making bytes: ByteBuffer) async throws -> ByteBuffer? {
        guard arePatchesTaken.withLock({ $0 }), bytes.readableBytes <= UploadLimits.maximumPatchTarget else {
            return nil
        }
        return try await CompressedBody.patch(making: bytes)
    }

    /// The server takes no such patch.
    func giveUpPatches() { arePatchesTaken.withLock { $0 = false } }

    private static func isNotUnderstood(_ failure: ClientFailure) -> Bool {
        [.malformedRequest, .unsupportedMediaType, .invalidParameter].contains(failure.problem?.code.known)
    }
}
