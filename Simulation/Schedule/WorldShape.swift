/// What a world is made of, before anything happens in it.
package struct WorldShape: Equatable, Sendable {
    package struct Device: Equatable, Sendable {
        package var name: String
        package var disk: DiskNature

        package init(name: String, disk: DiskNature = DiskNature()) {
            self.name = name
            self.disk = disk
        }
    }

    package var devices: [Device]
    /// Only the first device's person does anything: then there is nothing to be in conflict about.
    package var oneWriter: Bool

    package init(devices: [Device], oneWriter: Bool = false) {
        self.devices = devices
        self.oneWriter = oneWriter
    }

    static let deviceNames = ["kitchen", "laptop", "phone", "attic", "train"]
}

/// How large the worlds of a run are.
package struct SimulationSize: Equatable, Sendable {
    /// Nil for three to five, as the seed has it.
    package var devices: Int?
    package var steps: Int

    package static let devicesAllowed = 1...WorldShape.deviceNames.count
    package static let stepsAllowed = 1...100_000

    package init(devices: Int? = nil, steps: Int = 200) {
        self.devices = devices
        self.steps = steps
    }
}
