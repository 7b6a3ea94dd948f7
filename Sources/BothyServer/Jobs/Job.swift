/// Work that the server does by itself, again and again, in small steps.
package struct Job: Sendable {
    package var name: String
    /// Seconds between two rounds.
    package var period: Double
    /// One bounded step; a round is over when it answers ``Step/done``.
    package var step: @Sendable () async throws -> Step

    package enum Step: Sendable {
        case done
        /// There is more to do, soon.
        case more
    }

    package init(_ name: String, every period: Double, step: @escaping @Sendable () async throws -> Step) {
        self.name = name
        self.period = period
        self.step = step
    }
}

/// When which job is due: decided without a clock.
package struct JobCalendar: Sendable {
    /// Seconds after the start when a job first runs, at most: a server that is started every day still does its work.
    package static let firstWait = 60.0

    private var due: [Double]
    private let periods: [Double]

    package init(periods: [Double], now: Double) {
        self.periods = periods
        due = periods.map { now + min($0, Self.firstWait) }
    }

    /// The job that is due first, and how many seconds from now; nil where there are no jobs.
    package func next(now: Double) -> (job: Int, wait: Double)? {
        due.indices.min { due[$0] < due[$1] }.map { ($0, max(0, due[$0] - now)) }
    }

    package mutating func ended(_ job: Int, now: Double) { due[job] = now + periods[job] }
}
