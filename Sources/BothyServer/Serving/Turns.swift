import BothyContract
import DequeModule

/// Lets a few do something dear at once. Others wait for their turn, in their order; beyond that they are refused.
actor Turns {
    private let atOnce: Int
    private let mostWaiting: Int
    private let refusal: Problem
    private var running = 0
    private var waiting = Deque<CheckedContinuation<Void, Never>>()
    /// Those that nobody looks at yet: they come when nobody else waits.
    private var patient = Deque<CheckedContinuation<Void, Never>>()

    /// - Parameter refusal: what is said to one for whom there is no room any more.
    init(atOnce: Int, mostWaiting: Int, refusal: Problem) {
        self.atOnce = atOnce
        self.mostWaiting = mostWaiting
        self.refusal = refusal
    }

    /// Those who wait for their turn.
    var waitingCount: Int { waiting.count + patient.count }

    /// - Parameter isPatient: whether all others go first.
    /// - Throws: the refusal, what `body` throws, and `CancellationError` where nobody waits for it any more once it is its turn.
    func run<Value: Sendable>(
        isPatient: Bool = false, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        if running < atOnce {
            running += 1
        } else {
            guard (isPatient ? patient : waiting).count < mostWaiting else { throw refusal }
            // The one that ends hands its turn over, so that nobody comes between.
            await withCheckedContinuation { isPatient ? patient.append($0) : waiting.append($0) }
        }
        defer {
            if let next = waiting.popFirst() ?? patient.popFirst() { next.resume() } else { running -= 1 }
        }
        try Task.checkCancellation()
        return try await body()
    }
}
