import BothyContract
import Foundation
import NIOCore

/// Sends small files, and starts sessions for files that the drive may have already; those together that wait together: a
/// request of its own costs more than either does.
///
/// Each stays a transfer of its own: it has its own request id, its own answer, and it can be given up alone.
package actor SmallUploads {
    package struct Sent: Sendable {
        package var stored: UploadsRemoteSource.Stored
        /// SHA-256 of what was sent.
        package var hash: ContentHash
    }

    private struct Waiter {
        var request: UploadRequest
        var part: UploadsRemoteSource.BatchPart
        var answer: CheckedContinuation<UploadsRemoteSource.BatchAnswer, any Error>
    }

    private let uploads: UploadsRemoteSource
    private let executor: LoopExecutor
    private var gathering = BatchGathering()
    private var waiters = [Int: Waiter]()
    /// Those of each request that is under way, and the request.
    private var requests = [Int: (numbers: [Int], task: Task<Void, Never>)]()
    private var numbers = 0

    /// Statuses that refuse the batch as such: by an older server, by a proxy that knows its addresses, or for one file that
    /// spoils it for all. Alone, each file gets its own answer.
    private static let refusals: Set<Int> = [400, 404, 405, 415, 422, 500, 501]

    package init(_ uploads: UploadsRemoteSource, on executor: LoopExecutor) {
        self.uploads = uploads
        self.executor = executor
    }

    /// Sends what `read` brings.
    ///
    /// - Parameter read: gives all of a file that is small enough for a batch, and its SHA-256.
    /// - Throws: what `read` throws; `ClientFailure`; `CancellationError`, at once, when the task is cancelled.
    package func send(
        _ request: UploadRequest, reading read: @Sendable () async throws -> (bytes: ByteBuffer, hash: ContentHash)
    ) async throws -> Sent {
        let (answer, hash) = try await answer { () async throws -> (Prepared, ContentHash) in
            let (bytes, hash) = try await read()
            var request = request
            request.fileHashSha256 = hash
            return (Prepared(request, try UploadsRemoteSource.BatchPart(request, content: bytes)), hash)
        }
        guard case .stored(let stored) = answer else { throw Self.answerInvalid }
        return Sent(stored: stored, hash: hash)
    }

    /// Starts a session with what `read` brings.
    ///
    /// - Parameter read: gives what is asked for, once the file's SHA-256 is known.
    /// - Throws: as ``send(_:reading:)``.
    package func start(reading read: @Sendable () async throws -> UploadRequest) async throws -> UploadResponse {
        let (answer, _) = try await answer { () async throws -> (Prepared, Void) in
            let request = try await read()
            return (Prepared(request, try UploadsRemoteSource.BatchPart(starting: request)), ())
        }
        guard case .started(let upload) = answer else { throw Self.answerInvalid }
        return upload
    }

    private static var answerInvalid: ClientFailure {
        ClientFailure(.answerInvalid, "The server answers something else than was asked.")
    }

    private struct Prepared {
        var request: UploadRequest
        var part: UploadsRemoteSource.BatchPart

        init(_ request: UploadRequest, _ part: UploadsRemoteSource.BatchPart) {
            self.request = request
            self.part = part
        }
    }

    private func answer<Known>(
        preparing prepare: () async throws -> (Prepared, Known)
    ) async throws -> (UploadsRemoteSource.BatchAnswer, Known) {
        gathering.expect()
        let prepared: Prepared
        let known: Known
        do {
            (prepared, known) = try await prepare()
            try Task.checkCancellation()
        } catch {
            gathering.joined(nil)
            depart()
            throw error
        }
        return (try await answer(to: prepared), known)
    }

    private func answer(to prepared: Prepared) async throws -> UploadsRemoteSource.BatchAnswer {
        numbers += 1
        let number = numbers
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiters[number] = Waiter(request: prepared.request, part: prepared.part, answer: continuation)
                gathering.joined(BatchGathering.Item(number: number, bytes: prepared.part.byteCount))
                depart()
            }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
    }

    /// What the others of its request wait for goes on; a request that nobody waits for is given up.
    private func giveUp(_ number: Int) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        waiter.answer.resume(throwing: CancellationError())
        gathering.remove(number)
        for request in requests.values where request.numbers.contains(number) {
            if request.numbers.allSatisfy({ waiters[$0] == nil }) { request.task.cancel() }
        }
    }

    // MARK: - Requests

    private func depart() {
        while let leaving = gathering.next() {
            numbers += 1
            let request = numbers
            let task = Task(executorPreference: executor) { await self.perform(request, of: leaving) }
            requests[request] = (leaving, task)
        }
    }

    private func perform(_ request: Int, of leaving: [Int]) async {
        await send(leaving)
        requests[request] = nil
        gathering.ended()
        depart()
    }

    private func send(_ leaving: [Int]) async {
        let sent: [(number: Int, waiter: Waiter)] = leaving.compactMap { number in
            waiters[number].map { (number, $0) }
        }
        do {
            if sent.count == 1 {
                let (number, waiter) = sent[0]
                let answer = try await sendAlone(waiter)
                waiters.removeValue(forKey: number)?.answer.resume(returning: answer)
            } else if !sent.isEmpty {
                let answers = try await uploads.sendBatch(sent.map(\.waiter.part))
                for ((number, _), answer) in zip(sent, answers) {
                    waiters.removeValue(forKey: number)?.answer.resume(with: answer)
                }
            }
        } catch {
            refused(sent, error)
        }
    }

    private func sendAlone(_ waiter: Waiter) async throws -> UploadsRemoteSource.BatchAnswer {
        waiter.request.plan == nil
            ? .stored(try await uploads.sendWhole(waiter.part.content, waiter.request))
            : .started(try await uploads.start(waiter.request))
    }

    private func refused(_ sent: [(number: Int, waiter: Waiter)], _ error: any Error) {
        let failure = error as? ClientFailure
        if sent.count > 1, let status = failure?.status, Self.refusals.contains(status) {
            gathering.giveUpBatches()
        } else if sent.count > 1, failure?.code == .proxyLimit {
            gathering.shrink(below: sent.reduce(0) { $0 + $1.waiter.part.byteCount })
        } else {
            for (number, _) in sent { waiters.removeValue(forKey: number)?.answer.resume(throwing: error) }
            return
        }
        for (number, waiter) in sent where waiters[number] != nil {
            gathering.add(BatchGathering.Item(number: number, bytes: waiter.part.byteCount))
        }
    }
}
