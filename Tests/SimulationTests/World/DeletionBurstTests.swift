import BothyClient
import Simulation
import Testing

/// `rm *` in a folder that is watched: a pass that comes in its middle sends nothing before the guard has seen all of it.
@Suite struct DeletionBurstTests {
    private let server = SimulatedServer()
    private let maker = FolderSyncMaker()

    private func device(_ index: Int) -> SimulatedDevice {
        SimulatedDevice(index: index, shape: .init(name: "device\(index)"), server: server, now: server.model.now)
    }

    private func files(_ range: ClosedRange<Int>, on device: SimulatedDevice) throws {
        for number in range { try device.disk.model.write(["\(number)"], Array("\(number)".utf8)) }
    }

    private func delete(_ range: ClosedRange<Int>, on device: SimulatedDevice) throws {
        for number in range { try device.disk.model.remove(["\(number)"], recursively: false) }
    }

    private func settle(_ engine: any DeviceEngine, _ device: SimulatedDevice) async throws {
        for _ in 0..<4 {
            _ = try await engine.pass(confirming: false) { _ in }
            try await device.clock.sleep(seconds: Self.long)
        }
    }

    /// Seconds; longer than anything waits.
    private static let long = 2.0

    @Test func aPassInTheMiddleOfItSendsNothing() async throws {
        let laptop = device(FolderSyncMaker.patientDevice)
        let engine = try await maker.engine(for: laptop)
        try files(1...24, on: laptop)
        try await settle(engine, laptop)
        #expect(server.model.livePaths.count == 24)
        for number in 1...20 {
            try delete(number...number, on: laptop)
            let end = try await engine.pass(confirming: false) { _ in }
            #expect(end.left > 0 && !end.isAtRest)
            try await laptop.clock.sleep(seconds: 0.1)
        }
        try await settle(engine, laptop)
        #expect(server.model.livePaths.count == 24, "the guard has seen all twenty, and asks")
        _ = try await engine.pass(confirming: true) { _ in }
        #expect(server.model.livePaths.count == 4)
    }

    @Test func oneDeletionGoesAMomentLater() async throws {
        let laptop = device(FolderSyncMaker.patientDevice)
        let engine = try await maker.engine(for: laptop)
        try files(1...24, on: laptop)
        try await settle(engine, laptop)
        try delete(1...1, on: laptop)
        #expect(try await engine.pass(confirming: false) { _ in }.left == 1)
        #expect(server.model.livePaths.count == 24)
        try await laptop.clock.sleep(seconds: 0.6)
        #expect(try await engine.pass(confirming: false) { _ in }.left == 0)
        #expect(server.model.livePaths.count == 23)
    }
}
