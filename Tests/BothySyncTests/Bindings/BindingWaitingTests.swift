import BothyClient
import BothyContract
@testable import BothySync
import Foundation
import Testing

/// What a pass leaves waiting in a folder, and what is said of it.
@Suite struct BindingWaitingTests {
    private func report(failed: Int, _ code: FailureCode = .permissionDenied) -> PassReport {
        var report = PassReport()
        let action = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        let failure = ClientFailure(code, "“x” cannot be written.")
        report.failed = (0..<failed).map { _ in
            Decision(passId: 1, at: Timestamp(seconds: 1), action: action, trace: .init(failure: failure))
        }
        return report
    }

    /// A folder in which files failed was called in step, as of the very pass in which they did.
    @Test func whatFailedIsCountedAndAsksToBeKnown() {
        let waiting = Binding.Waiting(report(failed: 2))
        #expect(waiting.failed == 2 && waiting.asks && !waiting.isUnsettled)
        #expect(waiting.words == "2 could not be synced")
        #expect(Binding.Waiting(report(failed: 0)).words == nil)
    }

    /// It is nobody's to do, and the folder is not in step all the same.
    @Test func aFileThatAProgramHasOpenWaitsAndAsksNobody() {
        let waiting = Binding.Waiting(report(failed: 2, .fileInUse))
        #expect(waiting.inUse == 2 && waiting.failed == 0 && !waiting.asks && !waiting.isThrough)
        #expect(waiting.aside == "2 files are open in programs")
    }

    @Test func aFolderInWhichSomethingFailedWasInStepBefore() {
        var binding = Binding(
            id: "b1", localPath: "/box", remoteId: "f0", remotePath: "/box", accountId: "a", mark: "m",
            root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: [],
            createdAt: Timestamp(seconds: 5))
        binding.passedAt = Timestamp(seconds: 60)
        #expect(binding.inStepAt == Timestamp(seconds: 60))
        binding.waits = Binding.Waiting(report(failed: 1))
        #expect(binding.inStepAt == nil)
        binding.waits.inStepBefore = Timestamp(seconds: 30)
        #expect(binding.inStepAt == Timestamp(seconds: 30))
    }

    /// What no look ever sees would make a pass look for ever, and say nothing.
    @Test func whatMeetsAChangeThatNobodySeesIsToldInTheEnd() {
        var report = PassReport()
        let one = Action(.forget(remoteId: "x", at: "x"), .deletedOnBothSides)
        let other = Action(.forget(remoteId: "y", at: "y"), .deletedOnBothSides)
        let decisions = [one, other].map { Decision(passId: 1, at: Timestamp(seconds: 1), action: $0, trace: .init()) }
        let looks = (0..<3).map { _ in report.isWorthAnotherLook(decisions[0]) }
        let isOther = report.isWorthAnotherLook(decisions[1])
        #expect(looks == [true, true, false] && isOther)
    }

    @Test func whatWasWrittenDownBeforeFailuresWereCountedIsReadStill() throws {
        let old = #"{"conflicts": 1, "unsynced": 0, "unable": 2}"#
        let waiting = try JSONDecoder().decode(Binding.Waiting.self, from: Data(old.utf8))
        #expect(waiting.failed == 0 && waiting.inStepBefore == nil && waiting.unable == 2)
    }
}
