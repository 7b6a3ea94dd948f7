import BothyClient
import BothyContract

/// One device of a world: its disk, its way to the server, and whether it is alive.
///
/// It counts every call that its engine makes to disk and network; by these counts crashes and interruptions come, so
/// that each of them comes at the same place whenever the schedule is run.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
package final class SimulatedDevice: @unchecked Sendable {
    package let index: Int
    package let shape: WorldShape.Device
    package private(set) var disk: SimulatedDisk!
    package private(set) var drive: SimulatedDrive!
    package let clock: SimulatedClock

    /// How often it had deleted something on the server when its folder went away.
    var deletionsBefore = 0
    /// Since its folder went away a pass has come to its end, with nothing held back.
    var agreedWhileAway = false
    /// Files that a power cut took out of what is left of its folder, since that went away.
    var lostWhileAway = 0
    private var conditions = PassConditions()
    private var calls = 0
    package private(set) var hasCrashed = false
    /// Lets something happen in the world; set by the world.
    var interrupt: (Event) -> Void = { _ in }
    /// The same where that may take its time.
    var interruptAtRequest: (Event) async -> Void = { _ in }
    /// What is kept of the device at the moment of a crash, by its keeper.
    package var atCrash: [String: () -> Void] = [:]

    package init(index: Int, shape: WorldShape.Device, server: SimulatedServer, now: Timestamp) {
        self.index = index
        self.shape = shape
        clock = SimulatedClock(now: now)
        disk = SimulatedDisk(
            model: DiskModel(nature: shape.disk, now: now), place: "/simulated/\(shape.name)/", around: self)
        drive = SimulatedDrive(server: server, device: shape.name, files: disk, meanwhile: self)
    }

    package var name: String { shape.name }

    /// Disk and network hold on to it, and it to them: its maker lets go of it here, or it stays for good.
    func dismantle() {
        (disk, drive) = (nil, nil)
        atCrash = [:]
    }

    /// What the next pass goes through.
    func begin(_ conditions: PassConditions) {
        self.conditions = conditions
        calls = 0
        hasCrashed = false
        drive.faults = conditions.faults
        drive.dice = SeededRandom(conditions.dice)
    }

    /// - Returns: what happens in the world meanwhile.
    /// - Throws: when the device crashes here, and ever after in this pass.
    private func count() throws(ClientFailure) -> [Event] {
        if hasCrashed { throw Self.crashed }
        calls += 1
        if calls == conditions.crashAt {
            hasCrashed = true
            for (_, keep) in atCrash.sorted(by: { $0.key < $1.key }) { keep() }
            throw Self.crashed
        }
        let due = conditions.interruptions.prefix { $0.call <= calls }
        conditions.interruptions.removeFirst(due.count)
        return due.map(\.event)
    }

    private func callDisk() throws(ClientFailure) {
        for event in try count() { interrupt(event) }
    }

    private func callServer() async throws(ClientFailure) {
        for event in try count() { await interruptAtRequest(event) }
    }

    private static let crashed = ClientFailure(.diskFailed, "The device has crashed.")
}

extension SimulatedDevice: AroundDisk {
    package func beforeCall() throws(ClientFailure) { try callDisk() }
    package func afterCall() throws(ClientFailure) { try callDisk() }
}

extension SimulatedDevice: Meanwhile {
    package func beforeRequest() async throws { try await callServer() }
    package func afterRequest() async throws { try await callServer() }
}

/// A device's clocks: a calendar that jumps, and an uptime that does not. Nobody waits.
package final class SimulatedClock: ClientClock, @unchecked Sendable {
    // Unchecked because a world awaits one thing at a time.
    private var calendar: Timestamp
    private var lived: Double = 0

    package init(now: Timestamp) { calendar = now }

    package func now() -> Timestamp { calendar }
    package func uptime() -> Double { lived }
    package func sleep(seconds: Double) async throws { pass(seconds: seconds) }

    func pass(seconds: Double) {
        lived += seconds
        calendar = calendar.adding(seconds: Int64(seconds))
    }

    func jump(seconds: Int64) { calendar = calendar.adding(seconds: seconds) }
}
