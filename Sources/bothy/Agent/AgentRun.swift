import BothyAgent
import BothyClient
import BothySync
import Foundation
import Logging

/// One life of an agent in this process: the graph is built here.
struct AgentRun {
    let directory: String
    let readiness: AgentReadiness

    func run() async throws {
        do {
            try await live()
        } catch let failure as ClientFailure {
            readiness.failed(failure)
            throw failure
        }
    }

    private func live() async throws {
        let environment = Home.environment
        let logger = Logger(label: "bothy-agent")
        let place = try AgentPlace.make(in: directory)
        let holder = AgentLock.Holder(
            pid: getpid(), version: .ofThisProcess(), startedAt: environment.clock.now())
        let lock = try AgentLock.take(place, as: holder, disk: environment.disk)
        let home = try await Home.open()
        let engine = AgentEngine(
            parts: Self.parts(of: home, environment), rules: DeviceRules(home: home), clock: environment.clock)
        let process = AgentProcess(
            place, engine: engine, transfers: home.transfers, holder: holder, clock: environment.clock, logger: logger)
        let ending = try await process.run {
            logger.info("The agent runs.", metadata: ["home": "\(directory)", "pid": "\(holder.pid)"])
            readiness.listening()
        }
        logger.info("The agent has ended.", metadata: ["because": "\(ending)"])
        // The home may be gone by now: there is nothing left in it to be closed.
        _ = try? await home.close()
        withExtendedLifetime(lock) {}
        if ending == .homeGone {
            throw ClientFailure(
                .homeUnusable, "The home “\(directory)” is not there any more.", remedy: "Put it back, or sign in anew."
            )
        }
    }

    /// What stands on others comes after them.
    private static func parts(of home: DeviceHome, _ environment: ClientEnvironment) -> [any AgentPart] {
        let upkeep = Upkeep(home: home, clock: environment.clock)
        let (journal, bell) = (JournalPart(replica: home.replica), ServerBell())
        let server = ServerPart(
            changes: home.changes, environment: environment, advance: { try await place(of: home, upkeep) },
            heard: { bell.ring() },
            returned: {
                // What keeps the journal from looking is told of at the agent's next look.
                try? await journal.look()
            })
        let folders = FoldersPart(home: home, environment: environment, bell: bell) { sighting, binding in
            (SyncWords.words(sighting), SyncWords.remedy(sighting, binding))
        }
        return [server, TransfersPart(transfers: home.transfers), journal, folders]
    }

    /// Brings the replica up to the log's end.
    private static func place(of home: DeviceHome, _ upkeep: Upkeep) async throws -> String {
        try await home.replica.pull()
        // What cannot be let go now is let go another time.
        try? await upkeep.run()
        if let place = try await home.replica.store().state().cursor { return place }
        return try await home.changes.cursorNow()
    }
}
