import BothyContract
import NIOCore
import NIOHTTP1
import Synchronization

/// One event stream: what it told last, and how it ended. One reader at a time.
final class EventConnection: BodySink {
    enum Signal: Equatable, Sendable {
        /// The first thing that comes through.
        case greeted
        /// Something changed; the newest place in the log.
        case told(String)
        case ended(ClientFailure?)
        /// The waiter was cancelled.
        case nothing
    }

    private struct State {
        var parser = EventStreamParser()
        var hasComeThrough = false
        var toldGreeting = false
        /// The newest event that was not told yet; several of them become one.
        var latest: String?
        var end: ClientFailure??
        var waiter: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let tell: @Sendable (FeedNews) -> Void

    /// - Parameter tell: called for what is no change of the drive.
    init(tell: @escaping @Sendable (FeedNews) -> Void = { _ in }) { self.tell = tell }

    /// - Parameter read: reads the stream into this sink until it ends.
    func open(_ read: @escaping @Sendable (EventConnection) async throws -> Void) {
        let task = Task {
            do {
                try await read(self)
                self.end(nil)
            } catch let failure as ClientFailure {
                self.end(failure)
            } catch {
                self.end(nil)
            }
        }
        state.withLock { $0.task = task }
    }

    func close() { state.withLock { $0.task }?.cancel() }

    /// What comes next, waited for.
    func next() async -> Signal {
        while true {
            if let signal = ready() { return signal }
            if Task.isCancelled { return .nothing }
            await withTaskCancellationHandler {
                await withCheckedContinuation { wait($0) }
            } onCancel: {
                wake()
            }
        }
    }

    private func ready() -> Signal? {
        state.withLock { state in
            if state.hasComeThrough, !state.toldGreeting {
                state.toldGreeting = true
                return .greeted
            }
            if let latest = state.latest {
                state.latest = nil
                return .told(latest)
            }
            return state.end.map { .ended($0) }
        }
    }

    private func wait(_ continuation: CheckedContinuation<Void, Never>) {
        let isReady = state.withLock { state in
            precondition(state.waiter == nil, "a stream has one reader")
            let isReady =
                state.hasComeThrough && !state.toldGreeting || state.latest != nil || state.end != nil
                || Task.isCancelled
            if !isReady { state.waiter = continuation }
            return isReady
        }
        if isReady { continuation.resume() }
    }

    private func wake() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    private func end(_ failure: ClientFailure?) {
        state.withLock { $0.end = .some(failure) }
        wake()
    }

    // MARK: - The answer's body

    func accepts(status: Int, headers: HTTPHeaders) throws -> Bool {
        guard status == 200 else { return false }
        guard headers.first(name: "Content-Type")?.hasPrefix("text/event-stream") == true else {
            throw ClientFailure(.answerInvalid, "Another server answers here, and sends no event stream.")
        }
        return true
    }

    func take(_ bytes: ByteBuffer) throws -> Double {
        let news = try state.withLock { state in
            var news = [FeedNews]()
            for piece in try state.parser.take(bytes.readableBytesView) {
                state.hasComeThrough = true
                guard case .event(let id, let name) = piece else { continue }
                if let id, name == "changes" { state.latest = id }
                if let told = FeedNews(rawValue: name) { news.append(told) }
            }
            return news
        }
        news.forEach(tell)
        wake()
        return 0
    }
}
