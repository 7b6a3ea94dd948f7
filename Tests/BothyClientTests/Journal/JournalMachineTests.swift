import BothyClient
import BothyContract
import Testing

/// What is sent when, and what becomes of each answer.
@Suite struct JournalMachineTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func operation(
        _ id: Int64, _ action: JournalOperation.Action, on subject: Int64, places: [NameInFolder] = [],
        scope: [Int64] = []
    ) -> JournalOperation {
        JournalOperation(
            id: id, requestId: "request-\(id)", action: action, subject: LUID(subject), places: places,
            scope: scope.map { LUID($0) }, createdAt: now, updatedAt: now)
    }

    private func folder(_ id: Int64, _ subject: Int64, in parent: Int64, _ name: String) -> JournalOperation {
        operation(
            id, .createFolder(parent: LUID(parent), name: name), on: subject,
            places: [NameInFolder(parent: LUID(parent), name: name)], scope: [parent])
    }

    private func upload(_ id: Int64, _ subject: Int64, in parent: Int64, _ name: String) throws -> JournalOperation {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: UInt8(id & 255), count: 32)))
        let content = PendingContent(path: "/x", size: 1, checksum: hash, modifiedAt: now, owned: true)
        return operation(
            id, .upload(parent: LUID(parent), name: name, content: content, conflict: .fork), on: subject,
            places: [NameInFolder(parent: LUID(parent), name: name)], scope: [parent])
    }

    private func star(_ id: Int64, _ subject: Int64, scope: [Int64] = []) -> JournalOperation {
        operation(id, .star(true), on: subject, scope: scope)
    }

    private func ids(_ operations: [any DomainOperation]) -> [Int64] { operations.map(\.id) }

    @Test func lanesRunSideBySideWhereNothingIsShared() throws {
        var machine = JournalMachine([star(1, 10), try upload(2, 11, in: 1, "a"), star(3, 12)])
        #expect(ids(machine.next(now: now)) == [1, 2, 3])
    }

    @Test func whatIsDoneToOneThingKeepsItsOrder() {
        var machine = JournalMachine([star(1, 10), operation(2, .star(false), on: 10), star(3, 10)])
        #expect(ids(machine.next(now: now)) == [1])
        #expect(machine.next(now: now).isEmpty)
        _ = machine.acknowledge(1, version: 2, now: now)
        #expect(ids(machine.next(now: now)) == [2])
    }

    @Test func whatGoesIntoANewFolderWaitsForIt() throws {
        var machine = JournalMachine([
            folder(1, 10, in: 1, "a"), folder(2, 11, in: 10, "b"), try upload(3, 12, in: 11, "c"),
        ])
        #expect(ids(machine.next(now: now)) == [1])
        _ = machine.acknowledge(1, version: 1, now: now)
        #expect(ids(machine.next(now: now)) == [2])
        _ = machine.acknowledge(2, version: 1, now: now)
        #expect(ids(machine.next(now: now)) == [3])
    }

    @Test func whatIsDoneToAFolderKeepsItsOrderWithWhatIsDoneInside() {
        var machine = JournalMachine([
            star(1, 12, scope: [1, 10, 11]), operation(2, .trash(seen: .anything), on: 10, scope: [1]),
            star(3, 13, scope: [1, 10]),
        ])
        #expect(ids(machine.next(now: now)) == [1])
        _ = machine.acknowledge(1, version: 1, now: now)
        machine.remove(1)
        #expect(ids(machine.next(now: now)) == [2])
    }

    @Test func aNameIsFreedBeforeItIsTaken() {
        let places = ["a", "b"].map { NameInFolder(parent: .root, name: $0) }
        var machine = JournalMachine([
            operation(1, .rename(name: "b"), on: 10, places: places), folder(2, 11, in: 1, "a"),
        ])
        #expect(ids(machine.next(now: now)) == [1])
    }

    @Test func anUploadThatSomethingWaitsForGoesFirst() throws {
        var operations = try (1...40).map { try upload($0, 100 + $0, in: 1, "f\($0)") }
        operations.append(star(41, 140))
        var machine = JournalMachine(operations)
        #expect(machine.next(now: now).first?.id == 40)
    }

    @Test func beingOfflineCostsNoAttemptAndHoldsEverything() {
        var machine = JournalMachine([star(1, 10), star(2, 11)])
        _ = machine.next(now: now)
        for id in [Int64(1), 2] {
            let failed = machine.fail(id, ClientFailure(.offline, "no way"), now: now, chance: 0.5)
            #expect(failed?.state == .queued && failed?.attempts == 0)
        }
        #expect(machine.next(now: now).isEmpty)
        machine.cameOnline()
        #expect(ids(machine.next(now: now)) == [1, 2], "what waits is tried at once")
    }

    @Test func whatFoundNobodyHasNotBeenSentAndWhatMayHaveArrivedStaysSent() throws {
        let broken = ClientFailure(.offline, "no way")
        let refused = broken.with { $0.isUnconnected = true }
        let large = try upload(2, 11, in: 1, "a")
        var machine = JournalMachine([star(1, 10), large, star(3, 12)])
        #expect(machine.next(now: now).allSatisfy { $0.sent })
        #expect(machine.fail(1, refused, now: now, chance: 0)?.sent == false)
        #expect(machine.fail(2, refused, now: now, chance: 0)?.sent == true, "an upload is many requests")
        #expect(machine.fail(3, broken, now: now, chance: 0)?.sent == true)
        machine.cameOnline()
        #expect(machine.next(now: now).count == 3)
        #expect(machine.fail(3, refused, now: now, chance: 0)?.sent == true, "the first try may have arrived")
        #expect(machine.fail(1, broken, now: now, chance: 0)?.sent == true)
    }

    @Test(arguments: [429, 502, 503, 504])
    func aBusyServerCostsNoAttemptAndIsLeftAloneForAsLongAsItAsks(_ status: Int) {
        var machine = JournalMachine([star(1, 10)])
        _ = machine.next(now: now)
        let busy = ClientFailure(status: status).with { $0.retryAfter = 40 }
        #expect(machine.fail(1, busy, now: now, chance: 0)?.attempts == 0)
        #expect(machine.nextTime == now.adding(seconds: 40))
        #expect(machine.next(now: now.adding(seconds: 39)).isEmpty)
        #expect(ids(machine.next(now: now.adding(seconds: 40))) == [1])
    }

    /// Its sender woke at once, found nothing to send, and woke again: a core of its own for as long as that lasted.
    @Test func noTimeIsToldAtWhichNothingCanBeSent() {
        var machine = JournalMachine([star(1, 10), star(2, 20)])
        _ = machine.next(now: now)
        _ = machine.fail(1, ClientFailure(.serverFailed, "500"), now: now, chance: 1)
        #expect(machine.nextTime == now.adding(seconds: 1))
        _ = machine.fail(2, ClientFailure(.signInNeeded, "who?"), now: now, chance: 0)
        #expect(machine.nextTime == nil)
        var full = JournalMachine([star(1, 10), star(2, 20)], width: 1)
        #expect(ids(full.next(now: now)) == [1])
        _ = full.fail(1, ClientFailure(.serverFailed, "500"), now: now, chance: 1)
        #expect(ids(full.next(now: now)) == [2] && full.nextTime == nil)
    }

    @Test func whatAPersonHasCanceledWaitsForThem() {
        var machine = JournalMachine([star(1, 10)])
        _ = machine.next(now: now)
        let failed = machine.fail(1, ClientFailure(.transferCanceled, "It was canceled."), now: now, chance: 1)
        #expect(failed?.state == .parked && machine.next(now: now.adding(seconds: 1000)).isEmpty)
        #expect(machine.retry(1, now: now)?.state == .queued)
    }

    /// A disk that was full for a moment parked what was to be sent, until somebody typed `journal retry`.
    @Test(arguments: [FailureCode.transferPaused, .diskFull, .diskFailed, .homeUnusable])
    func whatRestsIsLookedAtAgainAndNeverGivenUp(_ code: FailureCode) {
        var machine = JournalMachine([star(1, 10)])
        var time = now
        for _ in 0..<3 * JournalMachine.patience {
            #expect(ids(machine.next(now: time)) == [1])
            let failed = machine.fail(1, ClientFailure(code, "It cannot be now."), now: time, chance: 1)
            #expect(failed?.state == .queued && failed?.attempts == 0 && machine.next(now: time).isEmpty)
            time = time.adding(milliseconds: JournalMachine.restMilliseconds)
        }
    }

    /// A database that another program held for five tries parked what was to be sent.
    @Test func aBusyDatabaseIsTriedAgainSoonAndCostsNoAttempt() {
        var machine = JournalMachine([star(1, 10)])
        var time = now
        for _ in 0..<3 * JournalMachine.patience {
            #expect(ids(machine.next(now: time)) == [1])
            let failed = machine.fail(1, ClientFailure(.homeBusy, "It is busy."), now: time, chance: 1)
            #expect(failed?.state == .queued && failed?.attempts == 0 && machine.hold == nil)
            time = time.adding(milliseconds: 1_000)
        }
    }

    /// Nothing is known of what the server would have said: a certificate that ran out parked everything that waited.
    @Test(arguments: [FailureCode.untrustedServer, .redirected])
    func aServerThatIsNotReachedAsItselfDecidesNothing(_ code: FailureCode) {
        var machine = JournalMachine([star(1, 10)])
        _ = machine.next(now: now)
        let failed = machine.fail(1, ClientFailure(code, "It is another."), now: now, chance: 1)
        #expect(failed?.state == .queued && failed?.attempts == 0)
        guard case .until(_, let told)? = machine.hold else {
            Issue.record("\(String(describing: machine.hold))")
            return
        }
        #expect(told.code == code)
    }

    /// Of something on the way: a Bothy server says it in a problem document.
    @Test(arguments: [401, 407, 511]) func whoAsksInTheServersPlaceWhoIsThereIsTheNetworks(_ status: Int) {
        var machine = JournalMachine([star(1, 10)])
        _ = machine.next(now: now)
        let failure = ClientFailure(status: status)
        #expect(failure.isHealedByTime)
        let failed = machine.fail(1, failure, now: now, chance: 1)
        #expect(failed?.state == .queued && failed?.attempts == 0)
        guard case .until? = machine.hold else {
            Issue.record("\(String(describing: machine.hold))")
            return
        }
    }

    @Test func failuresThatAreNotTheNetworksBackOffAndEndParkedAfterFive() {
        var machine = JournalMachine([star(1, 10)])
        var (time, waits) = (now, [Int64]())
        for attempt in 1...5 {
            #expect(ids(machine.next(now: time)) == [1])
            let failed = machine.fail(1, ClientFailure(.serverFailed, "500"), now: time, chance: 1)
            #expect(failed?.state == (attempt == 5 ? .parked : .queued))
            guard attempt < 5, let next = failed?.nextAttemptAt else { continue }
            waits.append((next.milliseconds - time.milliseconds) / 1000)
            time = next
        }
        #expect(waits == [1, 2, 4, 8])
        #expect(machine.next(now: time.adding(seconds: 1000)).isEmpty)
        #expect(machine.retry(1, now: time)?.attempts == 0)
        #expect(ids(machine.next(now: time)) == [1])
    }

    @Test func nothingIsSentWhileSomebodyHasToSignIn() {
        var machine = JournalMachine([star(1, 10)])
        _ = machine.next(now: now)
        let failed = machine.fail(1, ClientFailure(.signInNeeded, "who?"), now: now, chance: 0)
        #expect(failed?.state == .queued && failed?.attempts == 0)
        #expect(machine.next(now: now.adding(seconds: 100_000)).isEmpty)
        machine.signedIn()
        #expect(ids(machine.next(now: now)) == [1])
    }

    @Test(arguments: [FailureCode.nameConflict, .revisionConflict, .changedMeanwhile])
    func whatSomebodyElseHasChangedIsAConflict(_ code: FailureCode) {
        var machine = JournalMachine([star(1, 10)])
        _ = machine.next(now: now)
        #expect(machine.fail(1, ClientFailure(code, "changed"), now: now, chance: 0)?.state == .conflict)
        #expect(machine.next(now: now).isEmpty)
    }

    @Test func onlyWhatDependsOnAParkedOperationWaits() {
        var machine = JournalMachine([
            folder(1, 10, in: 1, "a"), folder(2, 11, in: 10, "inside"), star(3, 20), star(4, 21),
            operation(5, .hide(true), on: 20),
        ])
        #expect(ids(machine.next(now: now)) == [1, 3, 4])
        _ = machine.fail(1, ClientFailure(.refused, "no"), now: now, chance: 0)
        _ = machine.fail(3, ClientFailure(.refused, "no"), now: now, chance: 0)
        #expect(ids(machine.next(now: now)) == [5], "a hide needs no star before it; what is inside needs its folder")
        #expect(ids(machine.needing(1)) == [2])
    }

    @Test func whatIsDoneAfterSomethingWasParkedWaitsForItNoMoreThanWhatWasDoneBefore() {
        var held = star(1, 10)
        held.state = .parked
        var machine = JournalMachine([held])
        machine.add(operation(2, .hide(true), on: 10))
        #expect(ids(machine.next(now: now)) == [2])
    }

    @Test func whatWaitsForAPersonIsNotSentWhenWhatWasBeforeItIsDone() {
        var held = star(2, 10)
        held.state = .parked
        var machine = JournalMachine([operation(1, .hide(true), on: 10), held])
        #expect(ids(machine.next(now: now)) == [1])
        _ = machine.acknowledge(1, version: 2, now: now)
        machine.remove(1)
        #expect(machine.next(now: now).isEmpty)
    }

    /// A folder meets a file of its name, and the file is deleted: that has nothing to do with the folder.
    @Test func whatSharesANameWithSomethingParkedNeitherWaitsForItNorGoesWithIt() {
        let place = NameInFolder(parent: .root, name: "a")
        var machine = JournalMachine([
            folder(1, 10, in: 1, "a"), operation(2, .trash(seen: .head(revisionId: "r")), on: 20, places: [place]),
        ])
        #expect(ids(machine.next(now: now)) == [1])
        _ = machine.fail(1, ClientFailure(.nameConflict, "taken"), now: now, chance: 0)
        #expect(ids(machine.next(now: now)) == [2] && machine.needing(1).isEmpty)
    }

    /// The folder with the name that the file had in it: while the file is there, it would be deleted with the folder.
    @Test func theDeletionOfAFolderWaitsForWhatLeavesItAndGoesWithThat() {
        let (old, new) = (NameInFolder(parent: LUID(10), name: "f"), NameInFolder(parent: .root, name: "f"))
        let folder = NameInFolder(parent: .root, name: "d")
        let seen = SeenContent.subtree(cursor: "c")
        var machine = JournalMachine([
            operation(1, .move(parent: .root, name: nil), on: 11, places: [old, new], scope: [1, 10]),
            operation(2, .trash(seen: seen), on: 10, places: [folder, old], scope: [1]),
            operation(3, .trash(seen: seen), on: 12, places: [new], scope: [1]),
        ])
        _ = machine.next(now: now)
        _ = machine.fail(1, ClientFailure(.nameConflict, "taken"), now: now, chance: 0)
        #expect(machine.next(now: now).isEmpty)
        #expect(ids(machine.needing(1)) == [2], "what was to make room for it goes all the same")
        machine.remove(1)
        #expect(ids(machine.next(now: now)) == [2, 3])
    }

    @Test func whatGoesIntoAFolderWaitsForWhatBringsTheFolderBack() throws {
        var machine = JournalMachine([
            operation(1, .restore, on: 11, scope: [1, 10]), try upload(2, 12, in: 10, "f"),
        ])
        #expect(ids(machine.next(now: now)) == [1])
    }

    @Test func theDeletionOfAFolderWaitsUntilTheCacheHasWhatWasDoneInIt() throws {
        var machine = JournalMachine([
            try upload(1, 11, in: 10, "f"), operation(2, .trash(seen: .subtree(cursor: "c")), on: 10, scope: [1]),
            operation(3, .hide(true), on: 11, scope: [10]),
        ])
        #expect(ids(machine.next(now: now)) == [1])
        _ = machine.acknowledge(1, version: 1, now: now)
        #expect(machine.next(now: now).isEmpty && machine.waitsForNews)
        machine.remove(1)
        #expect(ids(machine.next(now: now)) == [2])
    }

    @Test func whatTheServerHasForgottenGoesBeforeWhatNeedsIt() throws {
        var machine = JournalMachine([folder(1, 10, in: 1, "a"), try upload(2, 11, in: 10, "f")])
        _ = machine.next(now: now)
        let made = machine.acknowledge(1, version: 1, now: now)
        var forgotten = try #require(made)
        forgotten.state = .queued
        machine.takeAnew([forgotten])
        #expect(ids(machine.next(now: now)) == [1], "the file waits for its folder again")
    }

    @Test func aJournalReadAgainAfterACrashSendsTheSameRequests() {
        var before = JournalMachine([star(1, 10), star(2, 10)])
        let sent = before.next(now: now)
        var after = JournalMachine([sent[0], star(2, 10)])
        #expect(after.next(now: now).map(\.requestId) == ["request-1"])
    }

    @Test func tenThousandOperationsOfOneFolderAreAllSent() throws {
        let uploads = try (2...10_000).map { try upload($0, 100 + $0, in: 10, "f\($0)") }
        var machine = JournalMachine([folder(1, 10, in: 1, "a")] + uploads)
        var done = 0
        while true {
            let sent = machine.next(now: now)
            if sent.isEmpty { break }
            for operation in sent { _ = machine.acknowledge(operation.id, version: 1, now: now) }
            done += sent.count
        }
        #expect(done == 10_000)
    }
}
