import BothyContract
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// `/v1/changes` and `/v1/events`: what changed, and that something did.
package struct ChangeRoutes: APIRoutes {
    /// Seconds that a long poll may ask for, and those it gets when it does not.
    private static let waits = 1...300
    private static let defaultWait = 30
    /// Seconds that a client is asked to leave the server alone when too many wait.
    private static let backoff = 30

    private let database: any Database
    private let notifier: Notifier
    private let sessions: DeviceSessions
    private let links: DownloadLinks

    package init(database: any Database, notifier: Notifier, sessions: DeviceSessions, links: DownloadLinks) {
        self.database = database
        self.notifier = notifier
        self.sessions = sessions
        self.links = links
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/changes", use: list)
        group.get("v1/changes/cursor", use: cursor)
        group.get("v1/changes/deletions", use: deletions)
        group.get("v1/changes/wait", use: wait)
        group.get("v1/events", use: events)
    }

    @Sendable private func cursor(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let head = try await database.read { try ChangeLog($0, drive: caller.driveId).head() }
        return try .json(CursorResponse(cursor: head.text))
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit = try request.pageLimit()
        let cursor = request.query(QueryNames.cursor)
        let page = try await database.read {
            try ChangePage.read(after: cursor, limit: limit, in: $0, drive: caller.driveId)
        }
        let changes = page.changes.map { change in
            var filled = change
            filled.file = change.file.map { links.filled($0, for: caller) }
            return filled
        }
        return try .json(GetChangesResponse(changes: changes, cursor: page.cursor, hasMore: page.hasMore))
    }

    @Sendable private func deletions(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit = try request.pageLimit()
        let since = try request.query(QueryNames.since).map { text in
            guard let since = Timestamp(rfc3339: text) else {
                throw Problem(.invalidParameter, "“since” should be a time such as 2026-11-20T14:00:00.000Z.")
            }
            return since
        }
        let place = try PageCursor.read(DeletionTable.Position.self, from: request.query(QueryNames.page))
        let (deletions, position) = try await database.read { [place] db in
            try DeletionTable(db, drive: caller.driveId).page(since: since, after: place, limit: limit)
        }
        let pagination = PaginationMetadata(next: try position.map { try PageCursor.text($0) }, limit: limit)
        return try .json(GetDeletionsResponse(deletions: deletions, pagination: pagination))
    }

    // MARK: Waiting

    @Sendable private func wait(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        guard let text = request.query(QueryNames.cursor) else {
            throw Problem(.invalidParameter, "“cursor” is missing.")
        }
        let seconds = try request.number(QueryNames.timeoutSeconds, in: Self.waits) ?? Self.defaultWait
        if try await newer(than: text, caller) != nil { return try .json(WaitResponse(changed: true)) }
        guard let ticket = await notifier.join(driveId: caller.driveId, deviceId: caller.deviceId) else {
            return try .json(WaitResponse(changed: false, backoffSeconds: Self.backoff))
        }
        do {
            let answer = try await answer(ticket, text, seconds, caller)
            await notifier.leave(ticket)
            return try .json(answer)
        } catch {
            await notifier.leave(ticket)
            throw error
        }
    }

    private func answer(
        _ ticket: Notifier.Ticket, _ text: String, _ seconds: Int, _ caller: Caller
    ) async throws -> WaitResponse {
        // Once more, now that no change can pass unseen.
        if try await newer(than: text, caller) != nil { return WaitResponse(changed: true) }
        var left = Double(seconds)
        while true {
            let span = min(left, EventStream.heartbeat)
            left -= span
            switch await next(ticket, within: span) {
            case .changed: return WaitResponse(changed: true)
            // It listens for no more than changes.
            case .told: continue
            case .ended: return WaitResponse(changed: false, backoffSeconds: 1)
            case .quiet where left <= 0: return WaitResponse(changed: false)
            case .quiet:
                // A device that has signed in anew asks by its new session.
                guard try await sessions.holds(caller) else {
                    throw Problem(.deviceSignedOut, "This device was signed out.")
                }
            }
        }
    }

    private func next(_ ticket: Notifier.Ticket, within seconds: Double) async -> Notifier.Wake {
        let notifier = notifier
        return await withGracefulShutdownHandler {
            await notifier.next(ticket, within: seconds)
        } onGracefulShutdown: {
            Task { await notifier.end(ticket) }
        }
    }

    /// - Returns: the place of the last change, when it is newer than `text`.
    private func newer(than text: String, _ caller: Caller) async throws -> ChangeCursor? {
        try await database.read { db in
            let log = ChangeLog(db, drive: caller.driveId)
            let cursor = try log.validate(text)
            let head = try log.head()
            return head.sequence > cursor.sequence ? head : nil
        }
    }

    @Sendable private func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let seen = request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 } ?? request.query(QueryNames.cursor)
        // A cursor that is not of this log is told at once, and not in the middle of a stream.
        if let seen { _ = try await newer(than: seen, caller) }
        let post = try request.number(QueryNames.post, in: 1...Int.max).map(Int64.init)
        if let post { _ = try await database.read { try PostAccess($0, reader: caller.userId).require(post) } }
        guard await notifier.hasRoom(driveId: caller.driveId) else {
            throw Problem(.tooManyRequests, "Too many streams are open.").with { $0.retryAfter = Self.backoff }
        }
        let stream = EventStream(
            database: database, notifier: notifier, sessions: sessions, caller: caller, seen: seen, post: post)
        let body = request.body
        var response = Response(status: .ok, body: ResponseBody { try await stream.run(body, &$0) })
        response.headers[.contentType] = "text/event-stream"
        response.headers[.cacheControl] = "no-store"
        // For nginx: an event goes out when it happens.
        response.headers[.xAccelBuffering] = "no"
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self(HeaderNames.lastEventId)!
    fileprivate static let xAccelBuffering = Self(HeaderNames.accelBuffering)!
}
