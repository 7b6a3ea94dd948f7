import BothyContract
import NIOCore
import Synchronization

/// Fetches small files; those together that wait together: a request of its own costs more than its bytes do.
///
/// Each stays a transfer of its own: it is verified, put in its place and given up alone. An item that does not come is fetched by
/// itself, and gets its own answer there.
///
/// A lock and no actor: a transfer that begins is counted before its first step, and what arrives is handed on from the connection's own
/// thread. Nothing waits while it is held.
package final class SmallDownloads: Sendable {
    package struct Brought: Sendable {
        package var content: RemoteContent
        /// Not compared with the content's hash yet.
        package var bytes: ByteBuffer
        /// Bytes that these took on the way; nil where they came as they are.
        package var carried: Int64?
    }

    private struct Waiter {
        var revisionId: String
        var bytes: Int
        /// It asked before, and could not be answered: others of its request are about to ask again, too.
        var isAgain: Bool
        /// An answer for it came compressed, and could not be: it is asked for plain.
        var isPlain = false
        var answer: @Sendable (Result<Brought?, any Error>) -> Void
    }

    private struct State {
        var gathering = BatchGathering(mostBytes: mostBytes)
        var waiters = [Int: Waiter]()
        /// Those of each request that is under way, and the request.
        var requests = [Int: (numbers: [Int], task: Task<Void, Never>)]()
        var numbers = 0

        /// One that nobody came with is fetched as any file is.
        func goesAlone(_ leaving: [Int]) -> Bool {
            !gathering.isTaken || leaving.count == 1 && waiters[leaving[0]]?.isAgain != true
        }

        mutating func number() -> Int {
            numbers += 1
            return numbers
        }
    }

    private let content: ContentRemoteSource
    private let receiving: RateLimit
    private let executor: LoopExecutor
    private let state = Mutex(State())

    /// Bytes of content in one answer: with as many requests as go side by side, what may be in memory at once.
    static let mostBytes = 4 << 20
    /// Statuses that refuse the batch as such: by an older server, or by a proxy that knows its addresses. Alone, each file gets
    /// its own answer.
    private static let refusals: Set<Int> = [400, 404, 405, 413, 415, 422, 500, 501]

    package init(_ content: ContentRemoteSource, receiving: RateLimit, on executor: LoopExecutor) {
        self.content = content
        self.receiving = receiving
        self.executor = executor
    }

    // MARK: - Joining

    /// Somebody who is about to ask: until then, or until they leave, the others wait for them.
    package final class Seat: Sendable {
        private let downloads: SmallDownloads
        private let isTaken = Atomic(true)

        fileprivate init(_ downloads: SmallDownloads) { self.downloads = downloads }

        deinit { leave() }

        /// Nobody waits for them any more; nothing happens the second time.
        package func leave() {
            guard giveBack() else { return }
            downloads.state.withLock { $0.gathering.joined(nil) }
            downloads.depart()
        }

        /// - Returns: whether it was taken until now.
        fileprivate func giveBack() -> Bool { isTaken.exchange(false, ordering: .relaxed) }
    }

    package func expect() -> Seat {
        state.withLock { $0.gathering.expect() }
        return Seat(self)
    }

    /// Fetches a revision along with others.
    ///
    /// - Parameter bytes: of the content, as far as is known.
    /// - Returns: nil for what has to be fetched by itself: it is alone, the server does not bring it so, or it knows no batches.
    /// - Throws: `ClientFailure` where the server cannot be asked now; `CancellationError`, at once, when the task is cancelled.
    package func fetch(_ revisionId: String, bytes: Int64, from seat: Seat) async throws -> Brought? {
        let number = state.withLock { $0.number() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                let isAgain = !seat.giveBack()
                state.withLock { state in
                    state.waiters[number] = Waiter(
                        revisionId: revisionId, bytes: Int(bytes), isAgain: isAgain,
                        answer: { answer.resume(with: $0) })
                    let item = BatchGathering.Item(number: number, bytes: Int(bytes))
                    if isAgain { state.gathering.add(item) } else { state.gathering.joined(item) }
                }
                if Task.isCancelled { giveUp(number) }
                depart()
            }
        } onCancel: {
            giveUp(number)
        }
    }

    /// Fetches revisions along with one another, and with others.
    ///
    /// - Parameters:
    ///   - wanted: with the bytes of each.
    ///   - came: called once for each, with its place among `wanted` and with what the other ``fetch(_:bytes:from:)`` would return or throw;
    ///     on a thread that must not be kept.
    /// - Returns: numbers to give them up by.
    func fetch(
        _ wanted: [(revisionId: String, bytes: Int64)],
        came: @escaping @Sendable (Int, Result<Brought?, any Error>) -> Void
    ) -> [Int] {
        let numbers = state.withLock { state in
            wanted.enumerated().map { place, wish in
                let number = state.number()
                state.waiters[number] = Waiter(
                    revisionId: wish.revisionId, bytes: Int(wish.bytes), isAgain: false, answer: { came(place, $0) })
                state.gathering.add(BatchGathering.Item(number: number, bytes: Int(wish.bytes)))
                return number
            }
        }
        depart()
        return numbers
    }

    /// What the others of its request wait for goes on; a request that nobody waits for is given up.
    func giveUp(_ number: Int) {
        let (waiter, idle) = state.withLock { state -> (Waiter?, [Task<Void, Never>]) in
            guard let waiter = state.waiters.removeValue(forKey: number) else { return (nil, []) }
            state.gathering.remove(number)
            let idle = state.requests.values.filter { request in
                request.numbers.contains(number) && request.numbers.allSatisfy { state.waiters[$0] == nil }
            }
            return (waiter, idle.map(\.task))
        }
        waiter?.answer(.failure(CancellationError()))
        for task in idle { task.cancel() }
        depart()
    }

    private func answer(_ number: Int, _ result: Result<Brought?, any Error>) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.answer(result)
    }

    // MARK: - Requests

    private func depart() {
        while let leaving = state.withLock({ $0.gathering.next() }) {
            if state.withLock({ $0.goesAlone(leaving) }) {
                state.withLock { $0.gathering.ended() }
                for number in leaving { answer(number, .success(nil)) }
            } else {
                begin(leaving)
            }
        }
    }

    private func begin(_ leaving: [Int]) {
        state.withLock { state in
            let request = state.number()
            let task = Task(executorPreference: executor) { await self.perform(request, of: leaving) }
            state.requests[request] = (leaving, task)
        }
    }

    private func perform(_ request: Int, of leaving: [Int]) async {
        let (sent, isPlain) = state.withLock { state in
            (
                leaving.compactMap { number in state.waiters[number].map { (number, $0.revisionId) } },
                leaving.contains { state.waiters[$0]?.isPlain == true }
            )
        }
        do {
            // All may have given up by now.
            if !sent.isEmpty {
                try await content.fetchBatch(sent.map(\.1), isPlain: isPlain, receiving: receiving) {
                    self.answer(sent[$0].0, .success(Brought($1, carried: $2)))
                }
            }
        } catch {
            broke(sent.map(\.0), error)
        }
        state.withLock { state in
            state.requests[request] = nil
            state.gathering.ended()
        }
        depart()
    }

    /// What came of the answer counts, and the rest is asked for again. Where nothing came, the waiter decides when to ask again.
    private func broke(_ sent: [Int], _ error: any Error) {
        let failure = error as? ClientFailure
        let rest = state.withLock { state in sent.filter { state.waiters[$0] != nil } }
        if let status = failure?.status, Self.refusals.contains(status) {
            state.withLock { $0.gathering.giveUpBatches() }
            for number in rest { answer(number, .success(nil)) }
        } else if rest.count < sent.count, failure?.code == .offline {
            askAgain(for: rest)
        } else if let cut = error as? ContentRemoteSource.AnswerCut, let first = rest.first {
            // One that no answer gets past must not hold up the others: each time one goes by itself, so that this ends.
            answer(first, .success(nil))
            // Plain, the items count one by one, and not once a frame has ended.
            askAgain(for: Array(rest.dropFirst()), isPlain: cut.wasPacked)
        } else if error is ContentRemoteSource.PackedAnswerInvalid {
            askAgain(for: rest, isPlain: true)
        } else if let failure, failure.code == .answerInvalid || !failure.isWorthRetrying {
            // What a batch is refused for, or what is odd about its answer, may be no single file's fault.
            for number in rest { answer(number, .success(nil)) }
        } else {
            for number in rest { answer(number, .failure(error)) }
        }
    }

    private func askAgain(for numbers: [Int], isPlain: Bool = false) {
        state.withLock { state in
            for number in numbers {
                guard let waiter = state.waiters[number] else { continue }
                if isPlain { state.waiters[number]?.isPlain = true }
                state.gathering.add(BatchGathering.Item(number: number, bytes: waiter.bytes))
            }
        }
    }
}

/// How one download is fetched along with others.
struct SharedFetch: Sendable {
    let downloads: SmallDownloads
    let seat: SmallDownloads.Seat
    /// Bytes, as far as is known.
    let size: Int64

    /// See ``SmallDownloads/fetch(_:bytes:from:)``.
    func fetch(_ revisionId: String) async throws -> SmallDownloads.Brought? {
        try await downloads.fetch(revisionId, bytes: size, from: seat)
    }
}

extension SmallDownloads.Brought {
    /// - Returns: nil for an item that was refused.
    fileprivate init?(_ item: ContentBatchReader.Item, carried: Int64?) {
        guard let told = item.outcome.content else { return nil }
        content = RemoteContent(
            revisionId: item.outcome.revisionId, size: told.size, checksum: told.checksum, downloadUrl: nil,
            modifiedAt: told.modifiedAt, executable: told.executable)
        bytes = item.bytes
        self.carried = carried
    }
}
