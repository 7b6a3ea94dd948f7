/// What a world is made of and what happens in it, counted: for a look at one seed.
package struct WorldSummary: Equatable, Sendable {
    private let devices: [String]
    private let steps: Int
    private var deeds = 0
    private var passes = 0
    private var crashes = 0
    private var powerCuts = 0

    package init(seed: UInt64, size: SimulationSize) {
        var maker = ScheduleMaker(seed: seed, size: size)
        let events = maker.schedule()
        devices = maker.shape.devices.map(\.name)
        steps = events.count
        for event in events { count(event) }
    }

    private mutating func count(_ event: Event) {
        switch event {
        case .person, .program, .web, .intent, .decide: deeds += 1
        case .pass(_, let conditions), .exchange(_, let conditions):
            passes += 1
            if conditions.crashAt != nil { crashes += 1 }
            deeds += conditions.interruptions.count
        case .powerCut: powerCuts += 1
        case .settle, .clockJump, .arrivals, .days, .forgetLog, .backup, .restore, .folder, .diskRoom, .quotaRoom: break
        }
    }

    /// For a person, as a sentence.
    package var words: String {
        """
        \(counted(devices.count, "device")) (\(devices.joined(separator: ", "))) and \(counted(steps, "step")): \
        \(counted(deeds, "thing")) that people do, \(counted(passes, "pass", "passes")) with \
        \(counted(crashes, "crash", "crashes")) in them, \(counted(powerCuts, "power cut")).
        """
    }

    private func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}
