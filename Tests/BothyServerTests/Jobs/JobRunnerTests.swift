import Synchronization
import Testing

@testable import BothyServer

@Suite struct JobRunnerTests {
    private struct Broken: Error {}

    private final class Diary: Sendable {
        private let lines = Mutex<[String]>([])

        func write(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    /// Runs until `seconds` have passed on a clock that only sleeping moves.
    private func run(_ jobs: [Job], for seconds: Double) async {
        let clock = TestClock()
        let end = clock.uptimeSeconds() + seconds
        let runner = JobRunner(jobs, clock: clock, logger: .silent) { wait in
            clock.advance(seconds: Int64(wait))
            if clock.uptimeSeconds() > end { throw CancellationError() }
        }
        await runner.runUntilCancelled()
    }

    @Test func eachJobRunsInItsPeriod() async {
        let diary = Diary()
        let jobs = [
            Job("minute", every: 60) {
                diary.write("minute")
                return .done
            },
            Job("quick", every: 25) {
                diary.write("quick")
                return .done
            },
        ]
        await run(jobs, for: 130)
        #expect(diary.all == ["quick", "quick", "minute", "quick", "quick", "minute", "quick"])
    }

    @Test func aJobThatFailsIsTriedAgainAndHoldsNoOtherUp() async {
        let diary = Diary()
        let jobs = [
            Job("broken", every: 10) {
                diary.write("broken")
                throw Broken()
            },
            Job("fine", every: 10) {
                diary.write("fine")
                return .done
            },
        ]
        await run(jobs, for: 25)
        #expect(diary.all == ["broken", "fine", "broken", "fine"])
    }

    @Test func aRoundGoesOnWhileThereIsMoreToDoAndIsBounded() async {
        let steps = Mutex(0)
        let endless = Job("endless", every: 10) {
            steps.withLock { $0 += 1 }
            return .more
        }
        await run([endless], for: 11)
        #expect(steps.withLock { $0 } == JobRunner.maximumSteps)
    }
}
