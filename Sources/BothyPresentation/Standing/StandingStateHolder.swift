import BothyClient
import BothyContract
import Observation

/// The quiet line that always tells the truth, and the switch for everything.
@MainActor @Observable
public final class StandingStateHolder {
    /// Seconds of the short pause.
    public nonisolated static let shortPause: Int64 = 3600

    /// nil until it was looked at.
    public private(set) var state: StandingState?
    public private(set) var notice: Notice?

    @ObservationIgnored private let standing: any DeviceStanding
    @ObservationIgnored private let words: Words
    /// It goes on while the line is followed.
    @ObservationIgnored private let clock: @Sendable () -> PersonsClock

    public init(_ standing: any DeviceStanding, words: Words, clock: @escaping @Sendable () -> PersonsClock) {
        self.standing = standing
        self.words = words
        self.clock = clock
    }

    public func open() async {
        do {
            show(try await standing.line())
        } catch {
            state = StandingState(words.failure(error))
        }
    }

    /// Shows how it stands from now on, and tells each time that it looks otherwise.
    public func follow(_ tell: (StandingState) async throws -> Void) async throws {
        for try await line in standing.lines() {
            let before = state
            show(line)
            if let state, state != before { try await tell(state) }
        }
    }

    private func show(_ line: QuietLine) { state = StandingState(line, words: words, clock: clock()) }

    /// - Parameter seconds: nil until the person goes on.
    public func pause(seconds: Int64? = nil) async {
        await attempt(saying: .pausedNotice) { try await standing.pause(seconds: seconds) }
    }

    public func resume() async { await attempt(saying: .resumedNotice) { try await standing.resume() } }

    private func attempt(saying phrase: Phrase, _ act: () async throws -> Void) async {
        do {
            try await act()
            notice = Notice(words[phrase])
        } catch {
            notice = words.failure(error)
        }
        await open()
    }
}
