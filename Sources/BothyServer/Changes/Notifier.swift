import BothyContract

/// Wakes those who wait for a drive to change: long polls and event streams.
///
/// A subscriber costs one entry here and one suspended task, so that ten thousand idle ones are cheap. A wake that
/// comes while a subscriber is busy is kept for it; several of them become one.
package actor Notifier {
    package enum Wake: Equatable, Sendable {
        /// The drive changed; the newest place.
        case changed(ChangeCursor)
        /// What the subscriber listens for besides, and has news.
        case told(Set<Topic>)
        /// Nothing for as long as was asked.
        case quiet
        /// The device was signed out, the server stops, or the task was cancelled.
        case ended
    }

    /// What has news that are no changes of the drive.
    package enum Topic: String, Sendable {
        /// Something came into the person's feed.
        case feed
        /// The person was told of something, or has read it.
        case notifications
        /// A post that the subscriber has open is not as it was: its text, its counts or its comments.
        case post
    }

    package struct Limits: Sendable {
        /// Subscribers in all: room for ten thousand event streams, and as many long polls.
        package var total = 20_000
        /// Of one drive: every device of a large household, several times.
        package var perDrive = 256

        package init(total: Int = 20_000, perDrive: Int = 256) {
            self.total = total
            self.perDrive = perDrive
        }
    }

    /// A place in the waiting room.
    package struct Ticket: Hashable, Sendable {
        fileprivate var number: UInt64
    }

    private struct Subscriber {
        var driveId: Int64
        var deviceId: String
        var topics: Set<Topic>
        /// The one that it has open, if any.
        var post: Int64?
        var pending: ChangeCursor?
        var pendingTopics = Set<Topic>()
        var ended = false
        var waiting: CheckedContinuation<Wake, Never>?
        /// In seconds of uptime.
        var deadline = 0.0
    }

    private let clock: any ServerClock
    private let limits: Limits
    private var subscribers: [Ticket: Subscriber] = [:]
    private var byDrive: [Int64: Set<Ticket>] = [:]
    private var byPost: [Int64: Set<Ticket>] = [:]
    private var lastNumber: UInt64 = 0
    private var stopped = false
    private var signedOut = RecentDevices()

    package init(clock: any ServerClock, limits: Limits = Limits()) {
        self.clock = clock
        self.limits = limits
    }

    package var count: Int { subscribers.count }

    package func hasRoom(driveId: Int64) -> Bool {
        subscribers.count < limits.total && byDrive[driveId, default: []].count < limits.perDrive
    }

    /// - Parameters:
    ///   - topics: what it listens for besides the drive's changes.
    ///   - post: a post that it has open, and hears of. The listener checks whether the person may read it.
    /// - Returns: nil when no more can wait. The holder of a ticket gives it back with ``leave(_:)``.
    package func join(driveId: Int64, deviceId: String, topics: Set<Topic> = [], post: Int64? = nil) -> Ticket? {
        guard hasRoom(driveId: driveId) else { return nil }
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        var subscriber = Subscriber(driveId: driveId, deviceId: deviceId, topics: topics, post: post)
        subscriber.ended = stopped || signedOut.contains(deviceId, now: clock.uptimeSeconds())
        subscribers[ticket] = subscriber
        byDrive[driveId, default: []].insert(ticket)
        if let post { byPost[post, default: []].insert(ticket) }
        return ticket
    }

    package func leave(_ ticket: Ticket) {
        guard let subscriber = subscribers.removeValue(forKey: ticket) else { return }
        subscriber.waiting?.resume(returning: .ended)
        byDrive[subscriber.driveId]?.remove(ticket)
        if byDrive[subscriber.driveId]?.isEmpty == true { byDrive[subscriber.driveId] = nil }
        guard let post = subscriber.post else { return }
        byPost[post]?.remove(ticket)
        if byPost[post]?.isEmpty == true { byPost[post] = nil }
    }

    /// Returns what happened since the ticket's last wake, or waits for it, at most `seconds` long.
    package func next(_ ticket: Ticket, within seconds: Double) async -> Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait(ticket, within: seconds, $0) }
        } onCancel: {
            Task { await self.end(ticket) }
        }
    }

    private func wait(_ ticket: Ticket, within seconds: Double, _ continuation: CheckedContinuation<Wake, Never>) {
        guard var subscriber = subscribers[ticket], !subscriber.ended, !Task.isCancelled else {
            return continuation.resume(returning: .ended)
        }
        precondition(subscriber.waiting == nil, "a ticket is one waiter's")
        if let pending = subscriber.pending {
            subscriber.pending = nil
            subscribers[ticket] = subscriber
            return continuation.resume(returning: .changed(pending))
        }
        if !subscriber.pendingTopics.isEmpty {
            let topics = subscriber.pendingTopics
            subscriber.pendingTopics = []
            subscribers[ticket] = subscriber
            return continuation.resume(returning: .told(topics))
        }
        subscriber.waiting = continuation
        subscriber.deadline = clock.uptimeSeconds() + seconds
        subscribers[ticket] = subscriber
    }

    // MARK: What wakes

    /// A change of the drive has been committed.
    package func wake(driveId: Int64, cursor: ChangeCursor) {
        for ticket in byDrive[driveId] ?? [] {
            guard let subscriber = subscribers[ticket], !subscriber.ended else { continue }
            if let waiting = subscriber.waiting {
                subscribers[ticket]?.waiting = nil
                waiting.resume(returning: .changed(cursor))
            } else if subscriber.pending.map({ $0.sequence < cursor.sequence }) ?? true {
                subscribers[ticket]?.pending = cursor
            }
        }
    }

    /// Tells people of a topic, as far as they listen for it.
    ///
    /// - Parameter people: whose drives have their ids.
    package func tell(_ topic: Topic, to people: Set<Int64>) {
        tell(topic, to: people.flatMap { byDrive[$0] ?? [] }.filter { subscribers[$0]?.topics.contains(topic) == true })
    }

    /// Tells who has these posts open that they are not as they were.
    package func tell(ofPosts posts: Set<Int64>) { tell(.post, to: posts.flatMap { byPost[$0] ?? [] }) }

    private func tell(_ topic: Topic, to tickets: [Ticket]) {
        for ticket in tickets {
            guard let subscriber = subscribers[ticket], !subscriber.ended else { continue }
            if let waiting = subscriber.waiting {
                subscribers[ticket]?.waiting = nil
                waiting.resume(returning: .told([topic]))
            } else {
                subscribers[ticket]?.pendingTopics.insert(topic)
            }
        }
    }

    /// Whose drives somebody listens to for a topic just now.
    func listening(for topic: Topic) -> Set<Int64> {
        Set(subscribers.values.filter { $0.topics.contains(topic) && !$0.ended }.map(\.driveId))
    }

    /// Ends everything that the device waits for, at once, and what it might still begin with a token from before.
    package func deviceSignedOut(driveId: Int64, deviceId: String) {
        signedOut.insert(deviceId, now: clock.uptimeSeconds())
        for ticket in byDrive[driveId] ?? [] where subscribers[ticket]?.deviceId == deviceId { end(ticket) }
    }

    /// The server stops: everyone is told, and no one waits any more.
    package func stop() {
        stopped = true
        for ticket in Array(subscribers.keys) { end(ticket) }
    }

    /// Tells those whose time is up. Called about once a second.
    package func tick() {
        let now = clock.uptimeSeconds()
        for (ticket, subscriber) in subscribers {
            guard let waiting = subscriber.waiting, subscriber.deadline <= now else { continue }
            subscribers[ticket]?.waiting = nil
            waiting.resume(returning: .quiet)
        }
    }

    package func end(_ ticket: Ticket) {
        guard let waiting = subscribers[ticket]?.waiting else {
            subscribers[ticket]?.ended = true
            return
        }
        subscribers[ticket]?.waiting = nil
        subscribers[ticket]?.ended = true
        waiting.resume(returning: .ended)
    }
}

/// Devices that were signed out just now: a request that passed its check a moment before does not slip through.
private struct RecentDevices {
    /// Seconds of uptime; long enough for a request under way, short enough for a device that signs in again.
    private static let memory = 5.0
    private var signedOutAt: [String: Double] = [:]

    func contains(_ id: String, now: Double) -> Bool {
        signedOutAt[id].map { now - $0 < Self.memory } ?? false
    }

    mutating func insert(_ id: String, now: Double) {
        signedOutAt = signedOutAt.filter { now - $0.value < Self.memory }
        signedOutAt[id] = now
    }
}
