import BothyClient
import Synchronization

/// A power supply that a test pulls and plugs in.
final class MadeUpPower: PowerSupply {
    private struct State {
        var readings: [PowerReading]
        var looks = 0
    }

    private let state: Mutex<State>

    /// - Parameter readings: told one after the other; the last one from then on.
    init(_ readings: PowerReading...) { state = Mutex(State(readings: readings)) }

    /// How often somebody has looked.
    var looks: Int { state.withLock { $0.looks } }

    func set(_ reading: PowerReading) { state.withLock { $0.readings = [reading] } }

    func reading() -> PowerReading {
        state.withLock { state in
            state.looks += 1
            return state.readings.count > 1 ? state.readings.removeFirst() : state.readings[0]
        }
    }
}

extension PowerReading {
    static let unplugged = PowerReading(hasBattery: true, isOnBattery: true)
    static let pluggedIn = PowerReading(hasBattery: true, isOnBattery: false)
    static let noBattery = PowerReading(hasBattery: false, isOnBattery: false)
}
