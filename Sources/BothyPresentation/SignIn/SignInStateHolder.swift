import BothyClient
import Observation

/// What the page for coming in shows.
public struct SignInState: Equatable, Sendable {
    public enum Mode: String, Sendable { case signIn, createAccount }

    public var mode: Mode
    /// Nobody has an account on this server yet.
    public var isFirst = false
    /// What was typed, kept when it was refused. A password never is.
    public var email = ""
    public var notice: Notice?

    public init(mode: Mode = .signIn) { self.mode = mode }
}

/// Coming in: signing in, and making an account.
@MainActor @Observable
public final class SignInStateHolder {
    public private(set) var state: SignInState

    @ObservationIgnored private let sessions: any BrowserSessions
    @ObservationIgnored private let visitor: BrowserVisitor
    @ObservationIgnored private let words: Words

    public init(
        _ sessions: any BrowserSessions, visitor: BrowserVisitor, words: Words, mode: SignInState.Mode? = nil
    ) {
        self.sessions = sessions
        self.visitor = visitor
        self.words = words
        wanted = mode
        state = SignInState(mode: mode ?? .signIn)
    }

    @ObservationIgnored private let wanted: SignInState.Mode?

    /// Looks whether the person is the first one here: then there is nothing to sign in to.
    public func open() async {
        do {
            state.isFirst = try await sessions.isFirst()
            state.mode = wanted ?? (state.isFirst ? .createAccount : .signIn)
        } catch {
            refuse(error)
        }
    }

    /// - Returns: a ticket; nil when it was refused, and the state says why.
    public func signIn(email: String, password: String) async -> String? {
        state.email = email
        return await attempt { try await sessions.signIn(email: email, password: password, by: visitor) }
    }

    /// - Returns: a ticket; nil when it was refused, and the state says why.
    public func createAccount(email: String, password: String, code: String?) async -> String? {
        state.email = email
        return await attempt {
            try await sessions.register(email: email, password: password, code: code, by: visitor)
        }
    }

    private func attempt(_ body: () async throws -> String) async -> String? {
        do {
            let ticket = try await body()
            state.notice = nil
            return ticket
        } catch {
            refuse(error)
            return nil
        }
    }

    /// What to do is what the page is for.
    private func refuse(_ error: any Error) { state.notice = Notice(words.failure(error).text, tone: .failure) }
}
