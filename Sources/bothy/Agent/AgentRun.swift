import BothyAgent
import BothyClient
import BothySync
import Foundation
import Logging

/// One life of an agent in this process: the graph is built here.
struct AgentRun {
    let directory: String
    /// Whether the web app is served from the start; nil for as it was before.
    let servesWeb: Bool?
    let readiness: AgentReadiness

    func run() async throws {
        do {
            try await live()
        } catch _ where Task.isCancelled {
            // Ended while it was starting or ending: what broke off then broke off for that reason.
            throw CancellationError()
        } catch let failure as ClientFailure {
            readiness.failed(failure)
            throw failure
        }
    }

    private func live() async throws {
        var environment = Home.environment
        environment.wakeSender = {}  // that is this process
        let logger = Logger(label: "bothy-agent")
        let place = try AgentPlace.make(in: directory)
        let holder = AgentLock.Holder(
            pid: getpid(), version: .ofThisProcess(), startedAt: environment.clock.now())
        let lock = try AgentLock.take(place, as: holder, disk: environment.disk)
        let home = try await Home.open(environment)
        let works = AgentWorks(home, environment)
        let engine = AgentEngine(
            parts: works.parts, rules: DeviceRules(home: home), clock: environment.clock)
        let screens = works.screens(of: home, environment) { await engine.look() }
        works.keep(screens.offline)
        await screens.notices.start()
        let web = DeviceWeb(home, device: screens.screens, clock: environment.clock, logger: logger)
        if servesWeb == false { try await home.settings.setWebPort(nil) }
        let process = AgentProcess(
            place, engine: engine, transfers: home.transfers, web: web, holder: holder, clock: environment.clock,
            logger: logger)
        let ending = try await process.run {
            logger.info("The agent runs.", metadata: ["home": "\(directory)", "pid": "\(holder.pid)"])
            readiness.listening()
            Task { await begin(web, home, logger) }
        }
        logger.info("The agent has ended.", metadata: ["because": "\(ending)"])
        await screens.notices.stop()
        await screens.offline.stop()
        // The home may be gone by now: there is nothing left in it to be closed.
        _ = try? await home.close()
        withExtendedLifetime(lock) {}
        if ending == .homeGone {
            throw ClientFailure(
                .homeUnusable, "The home “\(directory)” no longer exists.", remedy: "Put it back, or sign in again."
            )
        }
    }

    /// A page that is open finds its agent again.
    private func begin(_ web: DeviceWeb, _ home: DeviceHome, _ logger: Logger) async {
        do {
            let wasServed = try await home.settings.webPort() != nil
            guard servesWeb ?? wasServed else { return }
            _ = try await web.serve()
        } catch {
            // The rest of the agent's work does without.
            logger.error("The web app is not served.", metadata: ["because": "\(error)"])
        }
    }
}
