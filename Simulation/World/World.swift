import BothyClient
import BothyContract

/// Runs a schedule: one loop that owns disks, network, clocks and crashes, and awaits one thing at a time.
///
/// Unchecked because that one loop is all that touches it.
package final class World: @unchecked Sendable {
    package let shape: WorldShape
    package let server = SimulatedServer()
    package let devices: [SimulatedDevice]
    package private(set) var ledger = Ledger()
    /// What happened, a line each.
    package private(set) var trace: [String] = []
    private let maker: any EngineMaker
    private var engines: [Int: any DeviceEngine] = [:]
    private var backup: ServerModel?

    /// Rounds of passes that a quiet world may take until nobody has anything to do.
    package static let roundsToRest = 12
    /// Seconds between one event and the next.
    private static let secondsBetween: Int64 = 3

    package init(shape: WorldShape, maker: any EngineMaker) {
        self.shape = shape
        self.maker = maker
        devices = shape.devices.enumerated().map { [server] index, device in
            SimulatedDevice(index: index, shape: device, server: server, now: server.model.now)
        }
        for device in devices {
            ledger.linksAnew(device.index)
            device.interrupt = { [unowned self] in self.happen($0, indent: "    meanwhile ") }
        }
    }

    /// Runs the schedule, then lets the world come to rest.
    ///
    /// - Returns: what is wrong; nil when nothing is.
    package func run(_ events: [Event]) async -> Finding? {
        for (index, event) in events.enumerated() {
            tick()
            if case .pass(let device, let conditions) = event {
                if let finding = await pass(index, device, conditions, confirming: false).finding { return finding }
            } else {
                happen(event, indent: "")
            }
        }
        if let finding = await rest() { return finding }
        return await Checkers(world: self).check()
    }

    private func tick() {
        server.model.live(seconds: Self.secondsBetween)
        server.model.now = server.model.now.adding(seconds: Self.secondsBetween)
        for device in devices {
            device.clock.pass(seconds: Double(Self.secondsBetween))
            device.disk.model.setClock(device.clock.now())
        }
    }

    // MARK: Events

    /// Everything but passes.
    private func happen(_ event: Event, indent: String) {
        guard let words = act(event) else { return }
        trace.append(indent + words)
    }

    private func act(_ event: Event) -> String? {
        switch event {
        case .person(let index, let deed):
            guard let device = device(index) else { return nil }
            return Person(disk: device.disk, actor: device.index).does(deed, &ledger).map {
                "\(device.name): a person \($0)"
            }
        case .web(let deed):
            return WebPerson(server: server).does(deed, &ledger).map { "browser: a person \($0)" }
        case .powerCut(let index, let dice):
            guard let device = device(index) else { return nil }
            powerCut(device, dice)
            return "\(device.name): the power goes"
        case .settle(let index):
            device(index)?.disk.model.settle()
            return nil
        case .clockJump(let index, let seconds):
            guard let device = device(index) else { return nil }
            device.clock.jump(seconds: seconds)
            return "\(device.name): the clock jumps by \(seconds) s"
        case .arrivals:
            server.deliverWhatWaits()
            return nil
        case .days(let days):
            server.model.live(seconds: Int64(days) * 86_400)
            for device in devices { device.clock.pass(seconds: Double(days) * 86_400) }
            return "\(days) days go by"
        case .forgetLog:
            server.model.forgetLog()
            expireCursors()
            return "the server forgets its log"
        case .backup:
            backup = server.model
            return "the server is backed up"
        case .restore:
            guard let backup else { return nil }
            server.model.restore(from: backup)
            ledger.restored(devices.reduce(into: backup.reachableContent) { $0.formUnion($1.disk.contents) })
            expireCursors()
            return "the server is put back to its backup"
        case .pass:
            return nil
        }
    }

    private func expireCursors() { for device in devices { ledger.linksAnew(device.index) } }

    private func device(_ index: Int) -> SimulatedDevice? { devices.isEmpty ? nil : devices[index % devices.count] }

    private func powerCut(_ device: SimulatedDevice, _ dice: UInt64) {
        var random = SeededRandom(dice)
        let before = device.disk.contents
        device.disk.model.crash(&random)
        for hash in before.symmetricDifference(device.disk.contents) { ledger.shaken(hash) }
        engines[device.index] = nil
    }

    // MARK: Passes

    private func pass(
        _ step: Int, _ index: Int, _ conditions: PassConditions, confirming: Bool
    ) async -> (isAtRest: Bool, finding: Finding?) {
        let device = devices[index % devices.count]
        trace.append("\(device.name): a pass\(conditions.words)")
        device.begin(conditions)
        server.passBegan = server.model.now
        var isAtRest = false
        do {
            let engine = try await engine(of: device)
            let end = try await engine.pass(confirming: confirming) { [unowned self] in trace.append("    \($0)") }
            isAtRest = end.isAtRest
            if end.left == 0, end.isLinked { ledger.passed(device.index) }
            if end.left > 0 { trace.append("\(device.name): \(end.left) left to do") }
        } catch {
            if !device.hasCrashed, !error.isExpected {
                return (false, Finding(.engineFailed, "\(device.name): \(error)"))
            }
            trace.append("\(device.name): \(device.hasCrashed ? "crashes" : "\(error)")")
        }
        if device.hasCrashed { engines[device.index] = nil }
        return (isAtRest, nil)
    }

    private func engine(of device: SimulatedDevice) async throws -> any DeviceEngine {
        if let engine = engines[device.index] { return engine }
        let engine = try await maker.engine(for: device)
        engines[device.index] = engine
        return engine
    }

    /// The network is good, nobody does anything, and everyone passes until all are at rest.
    private func rest() async -> Finding? {
        trace.append("quiet")
        server.deliverWhatWaits()
        for device in devices { device.disk.model.settle() }
        for round in 0..<Self.roundsToRest {
            var isAtRest = true
            for device in devices {
                tick()
                let result = await pass(round, device.index, PassConditions(), confirming: true)
                if let finding = result.finding { return finding }
                isAtRest = isAtRest && result.isAtRest
            }
            if isAtRest { return nil }
        }
        return Finding(.noRest, "Not at rest after \(Self.roundsToRest) quiet rounds.")
    }

    package func keptApart(_ device: SimulatedDevice) async -> [KeptApart] {
        (try? await engine(of: device).keptApart()) ?? []
    }
}

extension PassConditions {
    fileprivate var words: String {
        var parts = [String]()
        switch faults {
        case .none: break
        case .offline: parts.append("offline")
        default: parts.append("bad network")
        }
        if let crashAt { parts.append("crash at call \(crashAt)") }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

extension Error {
    /// A pass may end because the network or the disk said no; it goes on the next time.
    fileprivate var isExpected: Bool {
        guard let failure = self as? ClientFailure else { return false }
        return failure.code != .homeUnusable && failure.code != .answerInvalid
    }
}
