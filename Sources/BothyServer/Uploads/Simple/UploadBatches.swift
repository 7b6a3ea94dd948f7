import BothyContract
import Foundation
import NIOCore
import NIOFoundationCompat

/// Many small files, and starts of sessions, from one body. Each is stored as if it had come by itself, by ``SimpleUploads`` or
/// ``UploadSessions``; what they share is the way here, and the small files' waits for the disk.
package struct UploadBatches: Sendable {
    private let simple: SimpleUploads
    private let sessions: UploadSessions

    /// Bytes of content, or of what is said of an item without any, that are gathered before they are stored.
    package enum Group: Int, Sendable {
        /// Of a body that is still on its way: all the memory that it takes, and what it loses at most where it is cut off.
        case coming = 262_144
        /// Of one that is here, as all are that come compressed: the fewer waits for the disk.
        case here = 1_048_576
    }

    package init(_ simple: SimpleUploads, _ sessions: UploadSessions) {
        self.simple = simple
        self.sessions = sessions
    }

    /// Stores the files of a body as it comes, and says of each what became of it.
    ///
    /// - Parameters:
    ///   - length: of the body, where it is known.
    ///   - heads: what each item's head has to be; nil where the client did not tell.
    ///   - size: how much is stored at once.
    /// - Throws: `malformed_request`, `too_many_items`, `body_too_large`, `length_mismatch`, `digest_mismatch`, and what is wrong with the
    ///   server. Some items may be stored then: their request ids tell of it when they come again.
    package func receive<Body>(
        _ body: inout PacedIterator<Body>, length: Int?, heads: HeadChecksums? = nil, by size: Group = .coming,
        for caller: Caller
    ) async throws -> UploadBatchResponse {
        var reader = BatchReader(heads)
        var came = 0
        var group = [Entry]()
        var gathered = 0
        var outcomes = [UploadBatchOutcome]()
        while var part = try await body.next() {
            came += part.readableBytes
            guard came <= UploadLimits.batchBody else { throw Self.tooLarge }
            while let item = try reader.next(from: &part) {
                group.append(Entry(item))
                gathered += item.content?.readableBytes ?? item.metadata.readableBytes
                guard gathered >= size.rawValue else { continue }
                outcomes += try await store(group, for: caller)
                (group, gathered) = ([], 0)
            }
        }
        if let length, came != length {
            throw Problem(.lengthMismatch, "\(came) of \(length) bytes came. Send what was not answered again.")
        }
        try reader.checkEnd()
        return UploadBatchResponse(items: outcomes + (try await store(group, for: caller)))
    }

    package static var tooLarge: Problem {
        Problem(.bodyTooLarge, "The batch is larger than \(UploadLimits.batchBody) bytes.")
            .with { $0.limit = Int64(UploadLimits.batchBody) }
    }

    /// One item, as far as it can be read.
    private struct Entry {
        var requestId: String?
        var asked: Result<Asked, Problem>

        enum Asked {
            case file(SimpleUpload)
            case session(UploadRequest, RequestIdentity)
        }

        init(_ item: BatchReader.Item) {
            do {
                let request = try WireCoding.decode(UploadRequest.self, from: Data(buffer: item.metadata))
                requestId = request.requestId
                asked = .success(try Self.asked(request, item))
            } catch {
                asked = .failure(Problem(describing: error))
            }
        }

        private static func asked(_ request: UploadRequest, _ item: BatchReader.Item) throws -> Asked {
            guard request.requestId != nil else {
                throw Problem(.invalidParameter, "“requestId” is missing: without one an item cannot be sent again.")
            }
            guard let content = item.content else {
                throw Problem(.bodyTooLarge, "An item of a batch has \(UploadLimits.batchContent) bytes at most.")
                    .with { $0.limit = Int64(UploadLimits.batchContent) }
            }
            if request.plan == nil { return .file(try SimpleUpload(request, content: content)) }
            guard content.readableBytes == 0 else {
                throw Problem(.invalidParameter, "An item with a “plan” starts a session, and has no content.")
            }
            return .session(request, try RequestIdentity(ofStart: request, metadata: item.metadata))
        }

        var file: SimpleUpload? { if case .success(.file(let upload)) = asked { upload } else { nil } }
    }

    private func store(_ entries: [Entry], for caller: Caller) async throws -> [UploadBatchOutcome] {
        var stored = try await simple.store(entries.compactMap(\.file), for: caller).makeIterator()
        var outcomes = [UploadBatchOutcome]()
        for entry in entries {
            switch entry.asked {
            case .success(.file):
                guard let result = stored.next() else { preconditionFailure("each upload has its outcome") }
                outcomes.append(Self.outcome(of: entry, result))
            case .success(.session(let request, let identity)):
                outcomes.append(try await started(request, identity, for: caller))
            case .failure(let problem):
                outcomes.append(UploadBatchOutcome(requestId: entry.requestId, problem: problem))
            }
        }
        return outcomes
    }

    private static func outcome(
        of entry: Entry, _ result: Result<UploadOutcome, Problem>
    ) -> UploadBatchOutcome {
        switch result {
        case .success(let outcome):
            UploadBatchOutcome(
                requestId: entry.requestId, cursor: outcome.cursor, cursorBefore: outcome.cursorBefore,
                file: UploadedFile(outcome.file))
        case .failure(let problem): UploadBatchOutcome(requestId: entry.requestId, problem: problem)
        }
    }

    private func started(
        _ request: UploadRequest, _ identity: RequestIdentity, for caller: Caller
    ) async throws -> UploadBatchOutcome {
        do {
            var reply = try await sessions.start(request, identity: identity, for: caller)
            // The sender of a file does not fetch it: as of the files that are stored from here.
            reply.response.file?.downloadUrl = nil
            return UploadBatchOutcome(
                requestId: request.requestId, cursor: reply.outcome?.cursor,
                cursorBefore: reply.outcome?.cursorBefore, upload: reply.response)
        } catch let problem as Problem {
            return UploadBatchOutcome(requestId: request.requestId, problem: problem)
        }
    }
}
