import BothyContract
import BothySync

/// What a world is made of, before anything happens in it.
package struct WorldShape: Equatable, Sendable {
    package struct Device: Equatable, Sendable {
        package var name: String
        package var disk: DiskNature
        /// How its folder is synced.
        package var deletions: DeletionPolicy
        package var conflicts: ConflictResolution

        package init(
            name: String, disk: DiskNature = DiskNature(), deletions: DeletionPolicy = .mirror,
            conflicts: ConflictResolution = .fork
        ) {
            self.name = name
            self.disk = disk
            self.deletions = deletions
            self.conflicts = conflicts
        }
    }

    /// What people and their devices do in a world.
    package enum Work: String, CaseIterable, Sendable {
        /// Folders are synced.
        case folders
        /// People work at their devices' replicas, with a connection and without one.
        case replicas
        case both

        var hasFolders: Bool { self != .replicas }
        var hasReplicas: Bool { self != .folders }
    }

    package var devices: [Device]
    package var work: Work
    /// Only the first device's person does anything: then there is nothing to be in conflict about.
    package var oneWriter: Bool

    package init(devices: [Device], work: Work = .folders, oneWriter: Bool = false) {
        self.devices = devices
        self.work = work
        self.oneWriter = oneWriter
    }

    static let deviceNames = ["kitchen", "laptop", "phone", "attic", "train"]
}

/// How large the worlds of a run are.
package struct SimulationSize: Equatable, Sendable {
    /// Nil for three to five, as the seed has it.
    package var devices: Int?
    package var steps: Int
    /// Nil for what the seed has.
    package var work: WorldShape.Work?

    package static let devicesAllowed = 1...WorldShape.deviceNames.count
    package static let stepsAllowed = 1...100_000

    package init(devices: Int? = nil, steps: Int = 200, work: WorldShape.Work? = nil) {
        self.devices = devices
        self.steps = steps
        self.work = work
    }
}
