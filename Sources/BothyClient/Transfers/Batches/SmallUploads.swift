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

    /// A small file that is read, as it is sent.
    package struct WholeFile: Sendable {
        package let request: UploadRequest
        /// SHA-256 of its content.
        package let hash: ContentHash
        fileprivate let part: UploadsRemoteSource.BatchPart

        package init(_ request: UploadRequest, _ content: ByteBuffer, _ hash: ContentHash) throws {
            self.request = request
            self.hash = hash
            part = try UploadsRemoteSource.BatchPart(request, content: content)
        }
    }

    private typealias Answer = Result<UploadsRemoteSource.BatchAnswer, any Error>

    private struct Waiter {
        enum Receiver {
            case one(CheckedContinuation<UploadsRemoteSource.BatchAnswer, any Error>)
            case member(of: Int, at: Int)
        }

        var request: UploadRequest
        var part: UploadsRemoteSource.BatchPart
        var receiver: Receiver
    }

    /// Files that wait for each other's answers.
    private struct Group {
        var answers: [Answer]
        /// How many of them have none.
        var left: Int
        let owner: ObjectIdentifier
        var continuation: CheckedContinuation<[Answer], Never>
    }

    private let uploads: UploadsRemoteSource
    private let executor: LoopExecutor
    private var gathering = BatchGathering()
    private var waiters = [Int: Waiter]()
    private var groups = [Int: Group]()
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

    /// Sends files that are read already, and returns once each has its answer.
    ///
    /// - Parameters:
    ///   - owner: who sends them.
    ///   - isGivenUp: asked of each, by its place in `files`, before it joins; see ``giveUp(_:of:)``.
    /// - Returns: what became of each, in their order; `CancellationError` for what nobody wants.
    package func send(
        _ files: [WholeFile], for owner: ObjectIdentifier, isGivenUp: @Sendable (Int) -> Bool
    ) async -> [Result<UploadsRemoteSource.BatchAnswer, any Error>] {
        guard !files.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            numbers += 1
            let group = numbers
            let none = Array(repeating: Answer.failure(CancellationError()), count: files.count)
            groups[group] = Group(answers: none, left: files.count, owner: owner, continuation: continuation)
            for (index, file) in files.enumerated() {
                let receiver = Waiter.Receiver.member(of: group, at: index)
                guard !isGivenUp(index) else {
                    tell(receiver, .failure(CancellationError()))
                    continue
                }
                numbers += 1
                waiters[numbers] = Waiter(request: file.request, part: file.part, receiver: receiver)
                gathering.add(BatchGathering.Item(number: numbers, bytes: file.part.byteCount))
            }
            depart()
        }
    }

    /// Nobody wants what `owner` sends under this request id any more.
    package func giveUp(_ requestId: String, of owner: ObjectIdentifier) {
        let waiter = waiters.first { _, waiter in
            guard case .member(let group, _) = waiter.receiver, groups[group]?.owner == owner else { return false }
            return waiter.request.requestId == requestId
        }
        if let number = waiter?.key { giveUp(number) }
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
        ClientFailure(.answerInvalid, "The server's answer does not match the request.")
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
                waiters[number] = Waiter(
                    request: prepared.request, part: prepared.part, receiver: .one(continuation))
                gathering.joined(BatchGathering.Item(number: number, bytes: prepared.part.byteCount))
                depart()
            }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
    }

    /// What the others of its request wait for goes on; a request that nobody waits for is given up.
    private func giveUp(_ number: Int) {
        guard waiters[number] != nil else { return }
        gathering.remove(number)
        answer(number, .failure(CancellationError()))
        for request in requests.values where request.numbers.contains(number) {
            if request.numbers.allSatisfy({ waiters[$0] == nil }) { request.task.cancel() }
        }
    }

    private func answer(_ number: Int, _ answer: Answer) {
        if let waiter = waiters.removeValue(forKey: number) { tell(waiter.receiver, answer) }
    }

    private func tell(_ receiver: Waiter.Receiver, _ answer: Answer) {
        switch receiver {
        case .one(let continuation): continuation.resume(with: answer)
        case .member(let group, let index):
            groups[group]?.answers[index] = answer
            groups[group]?.left -= 1
            guard groups[group]?.left == 0, let whole = groups.removeValue(forKey: group) else { return }
            whole.continuation.resume(returning: whole.answers)
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
                answer(number, .success(try await sendAlone(waiter)))
            } else if !sent.isEmpty {
                let answers = try await uploads.sendBatch(sent.map(\.waiter.part))
                for ((number, _), result) in zip(sent, answers) { answer(number, result.mapError { $0 }) }
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
            for (number, _) in sent { answer(number, .failure(error)) }
            return
        }
        for (number, waiter) in sent where waiters[number] != nil {
            gathering.add(BatchGathering.Item(number: number, bytes: waiter.part.byteCount))
        }
    }
}
