import Synchronization

/// Answers that have come and were not taken in yet. The one that takes them in gets all that are there, and writes them down together.
final class JournalAnswers: Sendable {
    struct Answer: Sendable {
        /// The operation's.
        var id: Int64
        var outcome: Result<any DomainAnswer, ClientFailure>
    }

    /// Rings once something has come, or somebody has something else to tell; several rings may be one.
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let waiting = Mutex([Answer]())

    // One ring is enough: who hears it takes all that is there.
    init() { (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func add(_ answers: [Answer]) {
        waiting.withLock { $0 += answers }
        ring.yield()
    }

    /// Wakes the waiter, and does nothing else.
    func wake() { ring.yield() }

    /// All that have come since this was asked last, in the order in which they came.
    func take() -> [Answer] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
