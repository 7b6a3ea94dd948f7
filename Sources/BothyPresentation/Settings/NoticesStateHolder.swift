import BothyClient
import Observation

/// What the switches for notices show.
public struct NoticesState: Equatable, Sendable {
    public struct Switch: Equatable, Sendable, Identifiable {
        public var kind: NoticeKind
        /// «Something to decide».
        public var title: String
        public var isOn: Bool

        public var id: String { kind.rawValue }
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var switches = [Switch]()
    /// Where they show.
    public var place = ""
    /// The desktop does not show them: a browser may be asked to.
    public var needsBrowser = false
    public var notice: Notice?
    public var standing = Standing.fresh
}

/// What a person is told of while they do not look, on a device.
@MainActor @Observable
public final class NoticesStateHolder {
    public private(set) var state = NoticesState()

    @ObservationIgnored private let notices: any DeviceNotices
    @ObservationIgnored private let words: Words

    public init(_ notices: any DeviceNotices, words: Words) {
        self.notices = notices
        self.words = words
    }

    public func open() async {
        do {
            show(try await notices.kinds())
            state.needsBrowser = await !notices.reachesDesktop()
            state.place = words[state.needsBrowser ? .noticesNoDesktop : .noticesDesktop]
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    public func set(_ kinds: Set<NoticeKind>) async {
        do {
            try await notices.set(kinds)
            show(kinds)
            state.notice = Notice(words[.noticesSaved])
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func show(_ kinds: Set<NoticeKind>) {
        state.switches = NoticeKind.allCases.map { kind in
            NoticesState.Switch(kind: kind, title: words.title(kind), isOn: kinds.contains(kind))
        }
    }
}
