import Logging
import ServiceLifecycle

/// Runs jobs one after another: work in the background never competes with itself, and leaves the machine to people.
package struct JobRunner: Service {
    /// Steps of one round; what is left waits for the next round, so that no job starves the others.
    static let maximumSteps = 10_000

    private let jobs: [Job]
    private let clock: any ServerClock
    private let sleep: @Sendable (Double) async throws -> Void
    private let logger: Logger

    /// - Parameter sleep: waits for so many seconds, or throws when the task is cancelled.
    package init(
        _ jobs: [Job], clock: any ServerClock, logger: Logger,
        sleep: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.jobs = jobs
        self.clock = clock
        self.sleep = sleep
        self.logger = logger
    }

    /// Runs until the server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await runUntilCancelled() }
    }

    func runUntilCancelled() async {
        var calendar = JobCalendar(periods: jobs.map(\.period), now: clock.uptimeSeconds())
        while !Task.isCancelled, let (index, wait) = calendar.next(now: clock.uptimeSeconds()) {
            do {
                if wait > 0 { try await sleep(wait) }
                try await runRound(of: jobs[index])
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "A job failed. It is tried again in \(Int(jobs[index].period)) s.",
                    metadata: ["job": "\(jobs[index].name)", "reason": "\(error)"])
            }
            calendar.ended(index, now: clock.uptimeSeconds())
        }
    }

    /// All there is to do for one job.
    package func runRound(of job: Job) async throws {
        for _ in 0..<Self.maximumSteps {
            try Task.checkCancellation()
            if try await job.step() == .done { return }
        }
        logger.notice(
            "A job has more to do than one round allows, and continues in the next.", metadata: ["job": "\(job.name)"])
    }
}
