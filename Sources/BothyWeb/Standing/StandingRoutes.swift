import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/device`: the quiet line on each page of a device, and the switch for everything.
struct StandingRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case pause
        case pauseForAnHour = "pause-hour"
        case resume
    }

    typealias Tell = @Sendable (ServerEvent) throws -> Void

    let writer: PageWriter

    var screens: [Screen] { [.form("/device/act", act), .page("/device/events", follow)] }

    /// As its view names things.
    static func context(_ state: StandingState) -> [String: Any] {
        [
            "tone": state.tone.rawValue, "text": state.text, "lead": state.lead, "place": state.place.link,
            "isElsewhere": state.place != .transfers, "isPaused": state.isPaused, "canPause": state.canPause,
        ]
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await StandingStateHolder(
            try visit.device().standing, words: visit.words, clock: visit.laterClock)
        switch form["act"].flatMap({ Act(rawValue: $0) }) {
        case .pause: await holder.pause()
        case .pauseForAnHour: await holder.pause(seconds: StandingStateHolder.shortPause)
        case .resume: await holder.resume()
        case nil: break
        }
        let notice = await holder.notice
        guard visit.wantsFragments else {
            return writer.redirect(to: Destination.transfers.link, visit: visit, saying: notice)
        }
        let state = await holder.state
        return writer.fragments(writer.toast(notice, visit) + Self.pieces(state, visit, writer), visit: visit)
    }

    /// A page that has nothing else to hear.
    @Sendable private func follow(_ visit: Visit) async throws -> Response {
        let standing = try visit.device().standing
        let writer = writer
        return EventResponse.make(
            visit.request, headers: PageHeaders.fields(origin: visit.origin, assets: writer.assets)
        ) { tell in
            try await Self.tell(of: standing, visit, writer, tell)
        }
    }

    /// What a page hears, and beside it how the device stands, where one does.
    static func follow(
        _ visit: Visit, _ writer: PageWriter, _ tell: @escaping Tell,
        besides own: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let standing = visit.account?.device?.standing else { return try await own() }
        try await withThrowingTaskGroup { group in
            group.addTask { try await Self.tell(of: standing, visit, writer, tell) }
            group.addTask { try await own() }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func tell(
        of standing: any DeviceStanding, _ visit: Visit, _ writer: PageWriter, _ tell: Tell
    ) async throws {
        let holder = await StandingStateHolder(standing, words: visit.words, clock: visit.laterClock)
        try await holder.follow { state in
            try tell(ServerEvent(id: "", kind: .piece, data: pieces(state, visit, writer)))
        }
    }

    private static func pieces(_ state: StandingState?, _ visit: Visit, _ writer: PageWriter) -> String {
        guard let state else { return "" }
        let line = writer.html(.standing, context(state), visit)
        let head = writer.html(.standingBanner, context(state), visit)
        return PageWriter.piece(line, at: "line") + PageWriter.piece(head, at: "banner")
    }
}
