import Simulation
import Testing

/// Worlds in which the engine did something wrong once, and that nobody has made shorter.
@Suite struct FoundWorldsTests {
    private let simulator = Simulator(size: SimulationSize(steps: 200)) { FolderSyncMaker() }

    /// - 7471: a name was given to another by a pass that was cut off, and the number that this made counted as a move.
    /// - 30471: what had been put in place of a version that was set aside, before a crash, was not known when it was saved over.
    /// - 30517: a rename arrived when its folder lay in the trash, and counted as agreed on before that.
    @Test(arguments: [7_471, 30_471, 30_517] as [UInt64]) func whatWentWrongOnceHolds(seed: UInt64) async {
        let run = await simulator.run(seed: seed)
        #expect(run.finding == nil, "\(run.trace.joined(separator: "\n"))")
    }
}
