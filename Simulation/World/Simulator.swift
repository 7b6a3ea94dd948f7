/// Runs worlds by their seeds, and makes the schedule of a failing one small.
package struct Simulator: Sendable {
    package let size: SimulationSize
    /// An engine maker of its own for each world.
    private let maker: @Sendable () -> any EngineMaker

    package init(size: SimulationSize, maker: @escaping @Sendable () -> any EngineMaker) {
        self.size = size
        self.maker = maker
    }

    /// A world that went wrong.
    package struct Failure: Sendable {
        package var seed: UInt64
        package var finding: Finding
        /// How many events the seed's own schedule has.
        package var events: Int
        /// The shortest schedule that was found to fail in the same way.
        package var schedule: [Event]
        /// What happens in that one, a line each.
        package var trace: [String]
        package var shape: WorldShape
    }

    /// One world as it was run.
    package struct Run: Sendable {
        package var finding: Finding?
        package var trace: [String]
    }

    package func run(_ shape: WorldShape, _ schedule: [Event]) async -> Run {
        let world = World(shape: shape, maker: maker())
        let finding = await world.run(schedule)
        return Run(finding: finding, trace: world.trace)
    }

    package func run(seed: UInt64) async -> Run {
        var maker = ScheduleMaker(seed: seed, size: size)
        return await run(maker.shape, maker.schedule())
    }

    /// - Parameter shrinking: runs that may be spent on making the schedule small.
    /// - Returns: what went wrong; nil when the seed's world is as it should be, or the task is cancelled.
    package func failure(ofSeed seed: UInt64, shrinking budget: Int) async -> Failure? {
        var made = ScheduleMaker(seed: seed, size: size)
        let schedule = made.schedule()
        let shape = made.shape
        guard let finding = await run(shape, schedule).finding else { return nil }
        var shrinker = Shrinker<Event>(budget: budget) { events in
            guard !Task.isCancelled else { return false }
            return await run(shape, events).finding?.rule == finding.rule
        }
        let small = budget > 0 ? await shrinker.shrink(schedule) : schedule
        let shrunk = await run(shape, small)
        // A world that is told to stop ends in the middle, and that is no finding.
        if Task.isCancelled { return nil }
        return Failure(
            seed: seed, finding: shrunk.finding ?? finding, events: schedule.count, schedule: small,
            trace: shrunk.trace, shape: shape)
    }

    /// Runs seeds side by side, and tells of each as it ends. When the task is cancelled it returns soon, and what is under way
    /// comes to nothing.
    ///
    /// - Parameters:
    ///   - width: worlds at once; each is one task that awaits one thing at a time.
    ///   - ended: what a seed came to; false ends the run: seeds that have begun are still told.
    package func run(seeds: Range<UInt64>, width: Int, ended: (UInt64, Finding?) async -> Bool) async {
        await SeedRun(seeds: seeds, width: width) { seed in await run(seed: seed).finding }.run(ended: ended)
    }
}
