import BothyClient
import BothyContract
import Foundation
import Logging

/// One life of an agent: it listens, its engine works, and something ends it.
package struct AgentProcess: Sendable {
    package enum Ending: Equatable, Sendable {
        /// A command asked for it.
        case asked
        /// Its home was taken away.
        case homeGone
        /// Its task was cancelled: Ctrl-C, or SIGTERM.
        case cancelled
    }

    /// Seconds that a command that has hung up may take to be gone.
    private static let departure = 5.0

    private let place: AgentPlace
    private let engine: AgentEngine
    private let transfers: TransfersRepository
    private let web: any AgentWeb
    private let holder: AgentLock.Holder
    private let clock: any ClientClock
    private let logger: Logger

    /// - Parameter place: whose lock this process holds.
    package init(
        _ place: AgentPlace, engine: AgentEngine, transfers: TransfersRepository, web: any AgentWeb,
        holder: AgentLock.Holder, clock: any ClientClock, logger: Logger
    ) {
        self.place = place
        self.engine = engine
        self.transfers = transfers
        self.web = web
        self.holder = holder
        self.clock = clock
        self.logger = logger
    }

    /// Works until something ends it; then everything has stopped in order.
    ///
    /// - Parameter isListening: called once commands can connect.
    package func run(isListening: @escaping @Sendable () -> Void) async throws -> Ending {
        let (asked, stopping) = AsyncStream<Void>.makeStream()
        let hello = AgentHello(version: holder.version, pid: holder.pid)
        let listener = AgentListener(place, hello: hello, logger: logger) { request, say in
            try await answer(request, say, stop: { stopping.yield() })
        }
        let ending: Result<Ending, any Error>
        do {
            ending = .success(try await untilEnd(listener, asked, isListening))
        } catch {
            ending = .failure(error)
        }
        // Not in this task: it may be cancelled, and what stops in order writes down where it was.
        await Task {
            await web.stop()
            await engine.stop()
        }.value
        return try ending.get()
    }

    private func untilEnd(
        _ listener: AgentListener, _ asked: AsyncStream<Void>, _ isListening: @escaping @Sendable () -> Void
    ) async throws -> Ending {
        let (unheard, listening) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask {
                try await listener.run {
                    listening.finish()
                    isListening()
                }
                return .cancelled
            }
            group.addTask {
                for await _ in asked { return .asked }
                return .cancelled
            }
            group.addTask {
                // Not before: the socket that a killed agent left goes away when this one makes its own.
                for await _ in unheard {}
                await HomeWatch.untilGone(place)
                return Task.isCancelled ? .cancelled : .homeGone
            }
            group.addTask {
                await engine.look()
                await Cancellation.wait()
                return .cancelled
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .cancelled
        }
    }

    private func answer(
        _ request: AgentRequest, _ say: AgentListener.Say, stop: @Sendable () -> Void
    ) async throws {
        switch request {
        case .status:
            try await say(
                .status(
                    AgentStatus(
                        version: holder.version, pid: holder.pid, startedAt: holder.startedAt,
                        lines: await engine.status())))
        case .look: await engine.look()
        case .attend(let runner): await attend(runner)
        case .lend(let part, let subject):
            try await engine.lend(subject, of: part) {
                try await say(.granted)
                await Cancellation.wait()
            }
        case .browse:
            let address = try await web.serve()
            let entry = await web.newEntry()
            try await say(.entrance(address: address, token: entry.token))
            await entry.isOver()
        case .stop:
            logger.info("A command asks the agent to end.")
            stop()
        }
    }

    /// Waits for the command to hang up; then what it left is looked after.
    private func attend(_ runner: String) async {
        await Cancellation.wait()
        await Task {
            // The line may be down a moment before the kernel has let go of the rest of a process that was killed.
            let giveUp = clock.uptime() + Self.departure
            while transfers.isAlive(runner: runner), clock.uptime() < giveUp {
                guard (try? await clock.sleep(seconds: 0.02)) != nil else { return }
            }
            await engine.look()
        }.value
    }
}

enum Cancellation {
    /// Returns once the task is cancelled.
    static func wait() async {
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}
