import BothyClient
import Foundation

/// Time and chance as the engine uses them. One place per process builds it; the simulated world has its own.
package struct SyncEnvironment: Sendable {
    package var clock: any ClientClock
    /// Names that nothing else has: of request ids and of what goes to the trash. At most 64 letters, digits and hyphens.
    package var newId: @Sendable () -> String
    /// The calendar's day where the person is, as `2026-11-20`.
    package var day: @Sendable () -> String
    /// 0 up to 1, for what waits not to wait as long as everybody else.
    package var chance: @Sendable () -> Double
    /// The mark of another synced folder of this device, by its path; nil where none can be read.
    package var mark: @Sendable (String) -> String? = { _ in nil }
    /// That folder itself, by its path; nil where it cannot be looked at.
    package var root: @Sendable (String) -> DiskFacts? = { _ in nil }

    package init(
        clock: any ClientClock, newId: @escaping @Sendable () -> String, day: @escaping @Sendable () -> String,
        chance: @escaping @Sendable () -> Double
    ) {
        self.clock = clock
        self.newId = newId
        self.day = day
        self.chance = chance
    }

    /// This machine as it is.
    package static var live: SyncEnvironment {
        var environment = SyncEnvironment(
            clock: SystemClock(), newId: { OrderedId.new(at: SystemClock().now()) },
            day: {
                let day = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
                return String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
            }, chance: { .random(in: 0..<1) })
        // One that cannot be read now is not known to be synced at its old place.
        environment.mark = { try? SystemFolderDisk(path: $0).mark() }
        environment.root = { try? SystemFolderDisk(path: $0).root() }
        return environment
    }
}
