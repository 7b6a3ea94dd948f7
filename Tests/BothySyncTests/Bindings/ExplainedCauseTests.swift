import BothyClient
import BothyContract
import BothySync
import Testing

/// `why` has a cause and a remedy for every state that this device can be in. The lists come from the code: a new case is held
/// against them by its declaration.
@Suite struct ExplainedCauseTests {
    /// By the names of their cases.
    static let transfers: [String: [TransferState]] = [
        "queued": [.queued], "preparing": [.preparing], "transferring": [.transferring], "verifying": [.verifying],
        "paused": PauseReason.allCases.map(TransferState.paused), "completed": [.completed], "failed": [.failed],
        "canceled": [.canceled],
    ]

    static let causes: [String: [ExplainedCause]] = [
        "item": ItemStatus.Cause.every.map(ExplainedCause.item),
        "failed": FailureCode.allCases.map { .failed(ClientFailure($0, "Because of \($0.rawValue).")) },
        "devicePaused": [
            .devicePaused(DevicePause(until: nil)), .devicePaused(DevicePause(until: Timestamp(seconds: 0))),
        ],
        "deviceRests": DeviceRest.allCases.map(ExplainedCause.deviceRests),
        "nobodyAtWork": [.nobodyAtWork],
        "transfer": transfers.values.joined().map(ExplainedCause.transfer),
        "operation": JournalOperation.State.allCases.map(ExplainedCause.operation),
        "refused": [.refused(ClientFailure(.signInNeeded, "This device was signed out."))],
        "offline": [.offline(ClientFailure(.offline, "The server cannot be reached."))],
    ]

    static let every = Array(causes.values.joined())

    @Test func theListsAreThoseThatTheCodeDeclares() throws {
        let told = try DeclaredCases.names(
            of: "enum ExplainedCause", in: "BothySync/Bindings/Explaining/ExplainedCause.swift")
        #expect(told == Set(Self.causes.keys))
        let moved = try DeclaredCases.names(
            of: "enum TransferState", in: "BothyClient/Transfers/Records/TransferState.swift")
        #expect(moved == Set(Self.transfers.keys))
        #expect(!Self.transfers.values.contains { $0.isEmpty } && !Self.causes.values.contains { $0.isEmpty })
    }

    @Test func everyCauseHasARemedy() {
        for cause in Self.every { #expect(!cause.remedy.isEmpty, "\(cause)") }
    }

    /// Screens and commands word what this makes of it; two that are the same to them would say the same.
    @Test func noTwoCausesAreTheSameToAScreen() {
        let told = Self.every.map { PlaceCause($0) }
        for (number, cause) in told.enumerated() {
            #expect(!told[..<number].contains(cause), "\(Self.every[number])")
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
        around.rest = .battery
        #expect(ExplainedCause.of(planned, failure: nil, in: around) == .devicePaused(DevicePause(until: nil)))
        around.pause = nil
        #expect(ExplainedCause.of(planned, failure: nil, in: around) == .deviceRests(.battery))
        // What was typed rests with the rest, where it is to be sent next.
        around.operation = .sending
        #expect(ExplainedCause.of(.atRest, failure: nil, in: around) == .deviceRests(.battery))
        around.pause = DevicePause(until: nil)
        #expect(ExplainedCause.of(.atRest, failure: nil, in: around) == .devicePaused(DevicePause(until: nil)))
        around.pause = nil
        around.operation = .parked
        #expect(ExplainedCause.of(.atRest, failure: nil, in: around).state == .failed)
        #expect(ExplainedCause.of(.conflict, failure: nil, in: around) == .item(.conflict))
    }

    /// Of a folder whose tie was taken back it said “you have paused this device”, and “bothy resume” changed nothing.
    @Test(arguments: [ItemStatus.Cause.guarded(.linkTakenBack), .held(.guarded)])
    func whatAGuardHoldsIsNotSaidToWaitForTheEndOfAPause(_ held: ItemStatus.Cause) {
        let paused = Surroundings(pause: DevicePause(until: nil), rest: .battery, transfer: .paused(.stopped))
        #expect(ExplainedCause.of(held, failure: nil, in: paused) == .item(held))
        // A hold that passes by itself does so only once something goes on.
        #expect(
            ExplainedCause.of(.held(.beingWritten), failure: nil, in: Surroundings(pause: DevicePause(until: nil)))
                == .devicePaused(DevicePause(until: nil)))
    }

    @Test func whereNothingRunsThatIsSaid() {
        let alone = Surroundings(isKept: false)
        #expect(ExplainedCause.of(.planned(.editedHere), failure: nil, in: alone) == .nobodyAtWork)
        #expect(ExplainedCause.of(.atRest, failure: nil, in: alone) == .item(.atRest))
        #expect(ExplainedCause.of(.held(.placeTaken), failure: nil, in: alone) == .item(.held(.placeTaken)))
        #expect(
            ExplainedCause.of(.planned(.editedHere), failure: nil, in: Surroundings()) == .item(.planned(.editedHere)))
    }

    @Test func whatWaitsForTheServersReturnIsSaidToWaitForIt() {
        let planned = ItemStatus.Cause.planned(.editedHere)
        let away = ClientFailure(.offline, "The server cannot be reached.")
        let around = Surroundings(offline: away)
        #expect(ExplainedCause.of(planned, failure: nil, in: around) == .offline(away))
        #expect(ExplainedCause.of(planned, failure: away, in: around) == .offline(away))
        #expect(ExplainedCause.of(planned, failure: away, in: around).state == .pending)
        #expect(ExplainedCause.of(.atRest, failure: nil, in: around) == .item(.atRest))
        // Its return alone does not bring these on.
        #expect(ExplainedCause.of(.held(.beingWritten), failure: nil, in: around) == .item(.held(.beingWritten)))
        let pause = DevicePause(until: nil)
        let paused = Surroundings(pause: pause, offline: away)
        #expect(ExplainedCause.of(planned, failure: nil, in: paused) == .devicePaused(pause))
        let alone = Surroundings(isKept: false, offline: away, operation: .queued)
        #expect(ExplainedCause.of(planned, failure: nil, in: alone) == .nobodyAtWork)
        #expect(ExplainedCause.of(.atRest, failure: nil, in: alone) == .nobodyAtWork)
        let quota = ClientFailure(.quotaExceeded, "There is no room.")
        #expect(ExplainedCause.of(planned, failure: quota, in: around) == .failed(quota))
    }
}
