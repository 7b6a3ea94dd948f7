import BothyClient
import Observation

/// What the switch for the battery shows.
public struct PowerState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        /// There is no battery, and nobody has said what to do on one.
        case pointless
        case failed(Notice)
    }

    public var rests = false
    public var notice: Notice?
    public var standing = Standing.fresh
}

/// What a device does while it runs on its battery.
@MainActor @Observable
public final class PowerStateHolder {
    public private(set) var state = PowerState()

    @ObservationIgnored private let power: any DevicePower
    @ObservationIgnored private let words: Words

    public init(_ power: any DevicePower, words: Words) {
        self.power = power
        self.words = words
    }

    public func open() async {
        do {
            state.rests = try await power.onBattery() == .rest
            let hasBattery = await power.hasBattery()
            state.standing = hasBattery || state.rests ? .shown : .pointless
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    public func set(rests: Bool) async {
        do {
            try await power.set(rests ? .rest : .go)
            state.rests = rests
            state.notice = Notice(words[rests ? .powerSetToRest : .powerSetToGo])
        } catch {
            state.notice = words.failure(error)
        }
    }
}
