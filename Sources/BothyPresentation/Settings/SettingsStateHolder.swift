import BothyClient
import BothyContract
import Observation

/// What the settings show.
public struct SettingsState: Equatable, Sendable {
    public struct Device: Equatable, Sendable, Identifiable {
        public var id: String
        public var name: String
        /// «linux, seen 14:03»; of a browser «web, signed in 14:03».
        public var about: String
        public var isThis: Bool
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var email: String
    /// This one first.
    public var devices = [Device]()
    /// Why what only the server knows is not shown; nil where it is.
    public var away: Notice?
    public var notice: Notice?
    public var standing = Standing.fresh

    /// There are others to sign out.
    public var hasOthers: Bool { devices.contains { !$0.isThis } }
}

/// The account: its devices, and its password.
@MainActor @Observable
public final class SettingsStateHolder {
    public private(set) var state: SettingsState

    @ObservationIgnored private let settings: any AccountSettings
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ settings: any AccountSettings, email: String, words: Words, clock: PersonsClock) {
        self.settings = settings
        self.words = words
        self.clock = clock
        state = SettingsState(email: email)
    }

    public func open() async {
        do {
            state.devices = try await settings.devices().map { device in
                SettingsState.Device(
                    id: device.id, name: ShownName.of(device.name),
                    about: about(device),
                    isThis: device.isThis)
            }
            state.away = nil
            state.standing = .shown
        } catch let failure as ClientFailure where failure.needsConnection || failure.code == .signInNeeded {
            // What is known here is shown all the same.
            var notice = words.failure(failure)
            if failure.needsConnection { notice.text = words[.connectionNeeded] + " " + notice.text }
            state.away = notice
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// A device is seen whenever it renews its sign-in. A browser never does: of it, the moment is that of the sign-in.
    private func about(_ device: SignedInDevice) -> String {
        let platform = ShownName.of(device.platform)
        return device.platform == Self.browsers
            ? words.signedIn(platform, device.lastSeenAt, at: clock)
            : words.seen(platform, device.lastSeenAt, at: clock)
    }

    /// The platform of a person who signed in to the server's own web app.
    private static let browsers = "web"

    public func signOut(_ device: String) async {
        await attempt {
            try await settings.signOut(device)
            state.devices.removeAll { $0.id == device }
            return words.signedOut(1)
        }
    }

    public func signOutOthers() async {
        await attempt {
            let count = try await settings.signOutOthers()
            state.devices.removeAll { !$0.isThis }
            return words.signedOut(count)
        }
    }

    /// Signs out every other device, too.
    public func changePassword(from old: String, to new: String, by visitor: BrowserVisitor) async {
        await attempt {
            try await settings.changePassword(from: old, to: new, by: visitor)
            state.devices.removeAll { !$0.isThis }
            return words[.passwordChanged]
        }
    }

    private func attempt(_ act: () async throws -> String) async {
        do {
            state.notice = Notice(try await act())
        } catch {
            state.notice = words.failure(error)
        }
    }
}
