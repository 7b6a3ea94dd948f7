import BothyClient
import Observation

/// What a switch for times that a device may rest at shows.
public struct RestState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        /// There are no such times here, and nobody has said what to do at them.
        case pointless
        case failed(Notice)
    }

    public var title: String
    public var lead: String
    /// What the switch is called.
    public var label: String
    public var rests = false
    public var notice: Notice?
    public var standing = Standing.fresh
}

/// What a device does while it runs on its battery, or while its network is metered.
@MainActor @Observable
public final class RestStateHolder {
    public private(set) var state: RestState

    @ObservationIgnored private let rest: DeviceRest
    @ObservationIgnored private let rests: any DeviceRests
    @ObservationIgnored private let words: Words

    public init(_ rest: DeviceRest, _ rests: any DeviceRests, words: Words) {
        self.rest = rest
        self.rests = rests
        self.words = words
        state =
            switch rest {
            case .battery: RestState(title: words[.power], lead: words[.powerLead], label: words[.powerRests])
            case .metered: RestState(title: words[.network], lead: words[.networkLead], label: words[.networkRests])
            }
    }

    public func open() async {
        do {
            state.rests = try await rests.choice(of: rest) == .rest
            let isPossible = await rests.isPossible(rest)
            state.standing = isPossible || state.rests ? .shown : .pointless
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    public func set(rests isResting: Bool) async {
        do {
            try await rests.set(isResting ? .rest : .go, of: rest)
            state.rests = isResting
            state.notice = Notice(words[said(isResting)])
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func said(_ isResting: Bool) -> Phrase {
        switch rest {
        case .battery: isResting ? .powerSetToRest : .powerSetToGo
        case .metered: isResting ? .networkSetToRest : .networkSetToGo
        }
    }
}
