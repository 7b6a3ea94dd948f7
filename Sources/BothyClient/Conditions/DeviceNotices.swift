/// What a person may be told of while they do not look.
public enum NoticeKind: String, CaseIterable, Sendable {
    /// Something waits to be decided.
    case conflict
    /// A guard holds a folder back.
    case held
    /// A transfer does not go on by itself.
    case failed
    /// The device's sign-in has ended.
    case signIn = "sign-in"
    /// Something came from another device.
    case update
    /// Somebody named the person in a post or a comment.
    case mention
    /// Somebody commented on a post of the person's, or replied to a comment.
    case comment
    /// Somebody follows the person, or asks to.
    case follow

    /// What needs the person. All else is told where it is asked for.
    package static let atFirst: Set<NoticeKind> = [.conflict, .held, .failed, .signIn]
}

/// Something that a person is told of, where they want to be.
public struct DeviceNotice: Equatable, Sendable {
    public var kind: NoticeKind
    /// How many there are that were not there before, at least 1.
    public var count: Int
    /// What the first of them is called; nil where it has no name.
    public var name: String?

    public init(_ kind: NoticeKind, count: Int = 1, name: String? = nil) {
        self.kind = kind
        self.count = count
        self.name = name
    }
}

/// What a person is told of, and how, as screens look at it.
///
/// Every method throws `ClientFailure`.
public protocol DeviceNotices: Sendable {
    /// What the person wants to hear of.
    func kinds() async throws -> Set<NoticeKind>

    func set(_ kinds: Set<NoticeKind>) async throws

    /// Whether this device's desktop shows what there is to tell.
    func reachesDesktop() async -> Bool

    /// What there is to tell from now on, as long as the desktop does not show it: for browsers, which may.
    func untold() async -> AsyncStream<DeviceNotice>
}
