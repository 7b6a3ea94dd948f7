import Observation

/// Where the person is, and the way back.
@MainActor @Observable
public final class Navigator {
    /// Places that are remembered; the oldest are forgotten first.
    public nonisolated static let depth = 100

    public struct State: Equatable, Sendable {
        public fileprivate(set) var places: [Destination]

        public var current: Destination { places[places.count - 1] }
        public var canGoBack: Bool { places.count > 1 }
    }

    public private(set) var state: State

    public init(at start: Destination = .home) { state = State(places: [start]) }

    /// Goes there; to where the person is already, it goes nowhere.
    public func go(to destination: Destination) {
        guard destination != state.current else { return }
        state.places.append(destination)
        if state.places.count > Self.depth { state.places.removeFirst() }
    }

    /// Goes back by one place; at the first it stays.
    public func back() {
        guard state.canGoBack else { return }
        state.places.removeLast()
    }

    /// Is there instead of where the person was: signing in is no place to come back to.
    public func replace(with destination: Destination) {
        state.places[state.places.count - 1] = destination
    }

    /// Follows a link from outside.
    ///
    /// - Returns: false for one that leads nowhere; then nothing moves.
    @discardableResult
    public func open(link: String) -> Bool {
        guard let destination = Destination(link: link) else { return false }
        go(to: destination)
        return true
    }
}
