import Simulation
import Testing

/// Who tries thousands of worlds needs the room of those that are under way, and not of all that have been.
@Suite struct WorldsEndTests {
    private struct Left {
        weak var device: SimulatedDevice?
        weak var disk: SimulatedDisk?
        weak var maker: FolderSyncMaker?
    }

    @Test(arguments: WorldShape.Work.allCases) func nothingIsLeftOfAWorldThatIsOver(_ work: WorldShape.Work) async {
        let left = await whatIsLeft(of: work)
        #expect(left.device == nil && left.disk == nil && left.maker == nil)
    }

    private func whatIsLeft(of work: WorldShape.Work) async -> Left {
        var schedule = ScheduleMaker(seed: 3, size: SimulationSize(devices: 3, steps: 40, work: work))
        let (events, maker) = (schedule.schedule(), FolderSyncMaker())
        let world = World(shape: schedule.shape, maker: maker)
        #expect(await world.run(events) == nil)
        return Left(device: world.devices[0], disk: world.devices[0].disk, maker: maker)
    }
}
