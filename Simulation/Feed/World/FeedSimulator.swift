/// Runs a feed's worlds by their seeds, and makes the schedule of a failing one small.
package struct FeedSimulator: Sendable {
    package let size: FeedWorldSize
    private let mistakes: Set<FeedMistake>

    /// - Parameter mistakes: planted in the server's model.
    package init(size: FeedWorldSize, mistakes: Set<FeedMistake> = []) {
        self.size = size
        self.mistakes = mistakes
    }

    /// A world that went wrong.
    package struct Failure: Sendable {
        package var seed: UInt64
        package var finding: Finding
        /// How many events the seed's own schedule has.
        package var events: Int
        /// The shortest schedule that was found to fail in the same way.
        package var schedule: [FeedEvent]
        /// What happens in that one, a line each, the last of it where that is long.
        package var trace: [String]
    }

    /// Lines of a story that anybody reads.
    private static let longestStory = 80
    /// Steps that may be run again to make a schedule small: a long one is run less often.
    private static let mostStepsShrinking = 200_000

    package func run(
        _ shape: FeedWorldShape, _ schedule: [FeedEvent]
    ) async -> (finding: Finding?, trace: [String]) {
        do {
            let world = try FeedWorld(shape: shape, mistakes: mistakes)
            return (await world.run(schedule), world.trace)
        } catch {
            return (Finding(.engineFailed, "\(error)"), [])
        }
    }

    package func run(seed: UInt64) async -> (finding: Finding?, trace: [String]) {
        var maker = FeedScheduleMaker(seed: seed, size: size)
        let shape = maker.shape
        return await run(shape, maker.schedule())
    }

    /// - Parameter budget: runs that may be spent on making the schedule small.
    /// - Returns: what went wrong; nil when the seed's world is as it should be, or the task is cancelled.
    package func failure(ofSeed seed: UInt64, shrinking budget: Int) async -> Failure? {
        var maker = FeedScheduleMaker(seed: seed, size: size)
        let (shape, schedule) = (maker.shape, maker.schedule())
        guard let finding = await run(shape, schedule).finding else { return nil }
        let runs = min(budget, Self.mostStepsShrinking / max(1, schedule.count))
        var shrinker = Shrinker<FeedEvent>(budget: runs) { events in
            guard !Task.isCancelled else { return false }
            return await run(shape, events).finding?.rule == finding.rule
        }
        let small = runs > 0 ? await shrinker.shrink(schedule) : schedule
        let shrunk = await run(shape, small)
        // A world that is told to stop ends in the middle, and that is no finding.
        if Task.isCancelled { return nil }
        return Failure(
            seed: seed, finding: shrunk.finding ?? finding, events: schedule.count, schedule: small,
            trace: shrunk.trace.suffix(Self.longestStory))
    }

    /// Runs seeds side by side, and tells of each as it ends: see ``SeedRun``.
    package func run(seeds: Range<UInt64>, width: Int, ended: (UInt64, Finding?) async -> Bool) async {
        await SeedRun(seeds: seeds, width: width) { seed in await run(seed: seed).finding }.run(ended: ended)
    }
}
