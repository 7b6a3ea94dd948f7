/// The work that a transfer has under way, and the letters that come of it.
///
/// Work that was given up sends no letter any more. Belongs to one runner.
final class TransferTasks<Event: Sendable> {
    private struct Letter: Sendable {
        /// Nil from outside, which is always heard.
        var epoch: Int?
        /// Set on a task's last letter.
        var finished: Int?
        var event: Event?
    }

    private let mailbox: AsyncStream<Letter>.Continuation
    private var letters: AsyncStream<Letter>.Iterator
    private var epoch = 0
    private var tasks = [Int: Task<Void, Never>]()
    private var numbers = 0
    private let executor: LoopExecutor

    init(on executor: LoopExecutor) {
        self.executor = executor
        let (stream, mailbox) = AsyncStream<Letter>.makeStream()
        self.mailbox = mailbox
        letters = stream.makeAsyncIterator()
    }

    /// Puts events in from outside.
    var sender: @Sendable (Event) -> Void {
        let mailbox = mailbox
        return { mailbox.yield(Letter(event: $0)) }
    }

    /// - Parameter work: gets a way to send events as it goes; it may end with one.
    func begin(_ work: @escaping @Sendable (@escaping @Sendable (Event) -> Void) async -> Event?) {
        let (mailbox, epoch) = (mailbox, epoch)
        numbers += 1
        let number = numbers
        tasks[number] = Task(executorPreference: executor) {
            let last = await work { mailbox.yield(Letter(epoch: epoch, event: $0)) }
            mailbox.yield(Letter(epoch: epoch, finished: number, event: last))
        }
    }

    /// The next event of what is not given up.
    func next(isolation: isolated (any Actor)? = #isolation) async -> Event? {
        while let letter = await letters.next(isolation: isolation) {
            guard letter.epoch == nil || letter.epoch == epoch else { continue }
            if let number = letter.finished { tasks[number] = nil }
            if let event = letter.event { return event }
        }
        return nil
    }

    /// Gives up everything under way, and waits until nothing of it moves any more.
    func giveUp(isolation: isolated (any Actor)? = #isolation) async {
        epoch += 1
        let under = tasks
        tasks = [:]
        for task in under.values { task.cancel() }
        for task in under.values { await task.value }
    }
}
