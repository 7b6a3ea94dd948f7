import BothyContent
import Simulation
import Testing

/// A save in a folder that is watched costs a look at that file, whatever else lies beside it.
@Suite struct WatchedSaveTests {
    private let server = SimulatedServer()
    private let maker = FolderSyncMaker()
    /// Those with an odd number are told what changes on their disks.
    private let laptop: SimulatedDevice

    init() {
        laptop = SimulatedDevice(index: 1, shape: .init(name: "laptop"), server: server, now: server.model.now)
    }

    private func settled(_ engine: any DeviceEngine) async throws {
        for _ in 0..<10 where try await !engine.pass(confirming: false, told: { _ in }).isAtRest {}
    }

    @Test func noFolderIsListedForIt() async throws {
        let engine = try await maker.engine(for: laptop)
        for number in 1...40 { try laptop.disk.model.write(["\(number)"], Array("\(number)".utf8)) }
        try await settled(engine)
        for content in ["once", "and once more"] {
            let before = laptop.disk.listings
            try laptop.disk.model.write(["7"], Array(content.utf8))
            try await settled(engine)
            #expect(server.model.livePaths["/7"] == SHA256Hasher.hash(Array(content.utf8)))
            #expect(laptop.disk.listings == before)
        }
    }
}
