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

    let writer: PageWriter

    var screens: [Screen] { [.form("/device/act", act)] }

    /// For a page that has nothing else to hear: how the device stands is told beside it.
    var streams: [PageStream] {
        [
            PageStream("/device/events") { visit in
                _ = try visit.device()
                return { _ in
                    let (nothing, continuation) = AsyncStream<Never>.makeStream()
                    defer { continuation.finish() }
                    for await _ in nothing {}
                }
            }
        ]
    }

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

    /// What a page hears, and beside it how the device stands, where one does.
    static func beside(
        _ visit: Visit, _ writer: PageWriter, _ tell: @escaping PageStream.Tell,
        _ own: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let device = visit.account?.device else { return try await own() }
        try await withThrowingTaskGroup { group in
            group.addTask { try await Self.tell(of: device, visit, writer, tell) }
            group.addTask { try await own() }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func tell(
        of device: DeviceScreens, _ visit: Visit, _ writer: PageWriter, _ tell: @escaping PageStream.Tell
    ) async throws {
        let holder = await StandingStateHolder(
            device.standing, words: visit.words, clock: visit.laterClock)
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await holder.follow { state in
                    try tell(.piece(pieces(state, visit, writer)))
                }
            }
            group.addTask {
                for await notice in await device.notices.untold() {
                    let (title, text) = visit.words.notice(notice)
                    try tell(.piece(writer.html(.told, ["title": title, "text": text], visit)))
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func pieces(_ state: StandingState?, _ visit: Visit, _ writer: PageWriter) -> String {
        guard let state else { return "" }
        let line = writer.html(.standing, context(state), visit)
        let head = writer.html(.standingBanner, context(state), visit)
        return PageWriter.piece(line, at: "line") + PageWriter.piece(head, at: "banner")
    }
}
