import BothyClient
import BothyContract
import BothySync
import Testing

/// `why` has a cause and a remedy for every state that this device can be in. The lists come from the code: a new case without
/// words does not compile.
@Suite struct ExplainedCauseTests {
    static let transfers: [TransferState] =
        [.queued, .preparing, .transferring, .verifying, .completed, .failed, .canceled]
        + PauseReason.allCases.map(TransferState.paused)

    static let every: [ExplainedCause] =
        ItemStatus.Cause.every.map(ExplainedCause.item) + transfers.map(ExplainedCause.transfer)
        + JournalOperation.State.allCases.map(ExplainedCause.operation)
        + FailureCode.allCases.map { .failed(ClientFailure($0, "Because of \($0.rawValue).")) }
        + [.devicePaused(DevicePause(until: nil)), .devicePaused(DevicePause(until: Timestamp(seconds: 0)))]
        + [.offline(ClientFailure(.offline, "The server cannot be reached."))]

    @Test func everyCauseHasWordsAndARemedy() {
        for cause in Self.every { #expect(!cause.words.isEmpty && !cause.remedy.isEmpty, "\(cause)") }
    }

    @Test func noTwoCausesSayTheSame() {
        for (words, causes) in Dictionary(grouping: Self.every, by: \.words) where causes.count > 1 {
            Issue.record("«\(words)»: \(causes)")
        }
    }

    @Test func noTwoFailuresHaveTheSameRemedy() {
        for (remedy, codes) in Dictionary(grouping: FailureCode.allCases, by: \.remedy) where codes.count > 1 {
            Issue.record("«\(remedy)»: \(codes)")
        }
    }

    @Test func everyStateIsReached() {
        #expect(Set(Self.every.map(\.state)) == Set(ItemStatus.State.allCases))
    }

    /// Where more than one thing is the case, what a person must do something about is told.
    @Test func whatNeedsAPersonIsToldBeforeWhatPassesByItself() {
        let planned = ItemStatus.Cause.planned(.editedHere)
        let failure = ClientFailure(.quotaExceeded, "There is no room.")
        var around = Surroundings(pause: DevicePause(until: nil), transfer: .transferring)
        #expect(ExplainedCause.of(planned, failure: failure, in: around) == .failed(failure))
        #expect(ExplainedCause.of(planned, failure: nil, in: around) == .transfer(.transferring))
        around.transfer = .completed
        #expect(ExplainedCause.of(planned, failure: nil, in: around) == .devicePaused(DevicePause(until: nil)))
        around.operation = .parked
        #expect(ExplainedCause.of(.atRest, failure: nil, in: around).state == .failed)
        #expect(ExplainedCause.of(.conflict, failure: nil, in: around) == .item(.conflict))
    }

    @Test func whatWaitsForTheServersReturnIsSaidToWaitForIt() {
        let planned = ItemStatus.Cause.planned(.editedHere)
        let away = ClientFailure(.offline, "The server cannot be reached.")
        let around = Surroundings(pause: DevicePause(until: nil), offline: away)
        #expect(ExplainedCause.of(planned, failure: nil, in: around) == .offline(away))
        #expect(ExplainedCause.of(planned, failure: away, in: around) == .offline(away))
        #expect(ExplainedCause.of(planned, failure: away, in: around).state == .pending)
        #expect(ExplainedCause.of(.atRest, failure: nil, in: around) == .item(.atRest))
        // Its return alone does not bring these on.
        #expect(ExplainedCause.of(.held(.beingWritten), failure: nil, in: around) == .item(.held(.beingWritten)))
        let quota = ClientFailure(.quotaExceeded, "There is no room.")
        #expect(ExplainedCause.of(planned, failure: quota, in: around) == .failed(quota))
    }
}
