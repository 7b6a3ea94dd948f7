import BothyContract
import Hummingbird
import NIOCore
import ServiceLifecycle

/// One client's Server-Sent Events (HTML Living Standard §9.2): a `changes` event whenever there is something to pull, and `feed`
/// and `notifications` whenever there is something new to ask for there. One that was opened with a post has a `post` event
/// whenever that is not as it was.
///
/// It ends when the client goes, the device is signed out or the server stops; and with its next line when the
/// session that it was opened by has ended in another way, as by signing in again.
struct EventStream: Sendable {
    /// Seconds between comment lines, which keep proxies from closing a quiet stream and find clients that are gone.
    static let heartbeat = 25.0

    let database: any Database
    let notifier: Notifier
    let sessions: DeviceSessions
    let caller: Caller
    /// The cursor that the client has; nil for one that pulls after its stream has begun.
    let seen: String?
    /// One that the client shows, and could read when the stream began.
    let post: Int64?

    func run(_ request: RequestBody, _ writer: inout any ResponseBodyWriter) async throws {
        guard
            let ticket = await notifier.join(
                driveId: caller.driveId, deviceId: caller.deviceId, topics: [.feed, .notifications], post: post)
        else {
            return try await writer.finish(nil)
        }
        let notifier = notifier
        do {
            try await request.consumeWithInboundCloseHandler { _ in
                try await withGracefulShutdownHandler {
                    try await send(ticket, &writer)
                } onGracefulShutdown: {
                    Task { await notifier.end(ticket) }
                }
            } onInboundClosed: {
                Task { await notifier.end(ticket) }
            }
        } catch {
            await notifier.leave(ticket)
            throw error
        }
        await notifier.leave(ticket)
        try await writer.finish(nil)
    }

    private func send(_ ticket: Notifier.Ticket, _ writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        if let missed = try await missed() { try await writer.write(Self.event(missed)) }
        // It may have gone between the question for it and the place in the waiting room.
        var couldRead = try await mayReadPost()
        if post != nil, !couldRead { try await writer.write(Self.event(.post)) }
        while true {
            let wake = await notifier.next(ticket, within: Self.heartbeat)
            guard wake != .ended, try await isHeld() else { return }
            switch wake {
            case .changed(let cursor): try await writer.write(Self.event(cursor))
            case .told(let topics):
                for topic in topics.sorted(by: { $0.rawValue < $1.rawValue }) {
                    if topic == .post {
                        // That it is gone is told, and nothing after that.
                        let before = couldRead
                        couldRead = try await mayReadPost()
                        guard before || couldRead else { continue }
                    }
                    try await writer.write(Self.event(topic))
                }
            case .quiet, .ended: try await writer.write(ByteBuffer(string: EventComments.stillHere))
            }
        }
    }

    /// In a task of its own, so that the stream's keeps little memory: see ``ShallowStreams``.
    private func isHeld() async throws -> Bool {
        async let isHeld = sessions.holds(caller)
        return try await isHeld
    }

    private func mayReadPost() async throws -> Bool {
        guard let post else { return false }
        async let mayRead = database.read { try PostAccess($0, reader: caller.userId).mayRead(post) }
        return try await mayRead
    }

    /// What the client has not seen, read once no change can pass unnoticed any more.
    private func missed() async throws -> ChangeCursor? {
        guard let seen = seen.flatMap({ ChangeCursor(text: $0) }) else { return nil }
        let head = try await database.read { try ChangeLog($0, drive: caller.driveId).head() }
        return head.sequence > seen.sequence ? head : nil
    }

    /// It has no id: a client that reconnects asks for the feed anyhow.
    private static func event(_ topic: Notifier.Topic) -> ByteBuffer {
        ByteBuffer(string: "event: \(topic.rawValue)\ndata: {}\n\n")
    }

    private static func event(_ cursor: ChangeCursor) -> ByteBuffer {
        ByteBuffer(string: "id: \(cursor.text)\nevent: changes\ndata: {\"cursor\":\"\(cursor.text)\"}\n\n")
    }
}
