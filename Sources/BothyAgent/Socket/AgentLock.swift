import BothyClient
import BothyContract
import Foundation

/// Makes this process the one agent of a home, for as long as this lives; the kernel ends it with the process.
package final class AgentLock: Sendable {
    /// Who holds the lock, written beside it for people and for the next who tries.
    package struct Holder: Codable, Equatable, Sendable {
        package var pid: Int32
        package var version: AgentVersion
        package var startedAt: Timestamp

        package init(pid: Int32, version: AgentVersion, startedAt: Timestamp) {
            self.pid = pid
            self.version = version
            self.startedAt = startedAt
        }
    }

    private let lock: FileLock

    private init(_ lock: FileLock) { self.lock = lock }

    /// - Throws: `agentRunning`, which says who holds it.
    package static func take(_ place: AgentPlace, as holder: Holder, disk: any LocalDisk) throws -> AgentLock {
        guard let lock = try FileLock.tryTake(place.lockPath) else { throw taken(place, disk) }
        try disk.replace(place.holderPath, with: WireCoding.encode(holder))
        return AgentLock(lock)
    }

    package static func isHeld(_ place: AgentPlace) -> Bool { FileLock.isHeld(place.lockPath) }

    /// - Returns: nil when nobody has ever held it, or what is written cannot be read.
    package static func holder(_ place: AgentPlace, disk: any LocalDisk) -> Holder? {
        // Only said to people: who holds the lock is the kernel's to know.
        guard let data = try? disk.contents(of: place.holderPath, atMost: 1 << 16) else { return nil }
        return try? WireCoding.decode(Holder.self, from: data)
    }

    private static func taken(_ place: AgentPlace, _ disk: any LocalDisk) -> ClientFailure {
        let who = holder(place, disk: disk).map { ": process \($0.pid), Bothy \($0.version.release)" } ?? ""
        return ClientFailure(.agentRunning, "An agent runs for “\(place.home)” already\(who).")
    }
}
