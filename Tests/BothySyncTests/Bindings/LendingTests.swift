#if os(Linux)
    import BothyClient
    import BothyContract
    import Foundation
    import Synchronization
    import Testing

    @testable import BothySync

    /// A folder that is watched is lent to commands, and comes back whatever becomes of them.
    @Suite(.timeLimit(.minutes(10))) struct LendingTests {
        private let folder: TemporaryFolder
        private let lockPath: String
        private let deskPath: String

        init() throws {
            folder = try TemporaryFolder()
            (lockPath, deskPath) = (folder.file("lock"), folder.file("lock.lending"))
        }

        /// Nobody gives up: what a busy machine takes is no matter here.
        private struct PatientClock: ClientClock {
            func now() -> Timestamp { SystemClock().now() }
            func uptime() -> Double { 0 }
            func sleep(seconds: Double) async throws { try await SystemClock().sleep(seconds: seconds) }
        }

        private func borrow() async throws -> FolderLoan? {
            try await FolderLoan.take(lockPath, askingAt: deskPath, clock: PatientClock())
        }

        /// What was lent, for as long as it is in here.
        private final class Hand: Sendable {
            private let loan = Mutex<FolderLoan?>(nil)

            var isEmpty: Bool { loan.withLock { $0 == nil } }
            func take(_ lent: FolderLoan?) { loan.withLock { $0 = lent } }
        }

        /// What was seen, in its order.
        private final class Notes: Sendable {
            private let written = Mutex([String]())

            var all: [String] { written.withLock { $0 } }
            func write(_ note: String) { written.withLock { $0.append(note) } }
        }

        /// How many have it at once.
        private final class Users: Sendable {
            private let counts = Mutex((now: 0, most: 0))

            var most: Int { counts.withLock { $0.most } }

            func come() {
                counts.withLock { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                }
            }

            func go() { counts.withLock { $0.now -= 1 } }
        }

        private func borrow(into hand: Hand) async throws { hand.take(try await borrow()) }

        /// Keeps the folder, lends it to who asks, and takes it back, as `bothy sync --watch` does.
        private func watch(_ desk: LendingDesk) async throws {
            while !Task.isCancelled {
                try await keep(desk)
                try await desk.waitUntilReturned()
            }
        }

        private func keep(_ desk: LendingDesk) async throws {
            let lock = try await FileLock.take(lockPath, clock: PatientClock())
            defer { withExtendedLifetime(lock) {} }
            try await desk.waitUntilAsked()
        }

        @Test func whatNobodyKeepsIsLentAtOnceAndFreeAgainAfterwards() async throws {
            var loan = try await borrow()
            #expect(loan != nil && FileLock.isHeld(lockPath))
            loan = nil
            #expect(!FileLock.isHeld(lockPath))
        }

        @Test func whoDoesNotLendIsNotWaitedFor() async throws {
            let lock = try FileLock.tryTake(lockPath)
            #expect(try await borrow() == nil)
            // There was a watch once, and its desk is still there.
            _ = try LendingDesk(path: deskPath)
            #expect(try await borrow() == nil)
            withExtendedLifetime(lock) {}
        }

        @Test func whatIsLentComesBackOnlyOnceItIsGivenBack() async throws {
            let desk = try LendingDesk(path: deskPath)
            var kept = try FileLock.tryTake(lockPath)
            #expect(kept != nil)
            let hand = Hand()
            async let asking: Void = borrow(into: hand)
            try await desk.waitUntilAsked()
            kept = nil
            try await asking
            #expect(!hand.isEmpty && FileLock.isHeld(lockPath))
            let notes = Notes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await desk.waitUntilReturned()
                    notes.write("taken back")
                }
                for _ in 0..<1000 { await Task.yield() }
                notes.write("given back")
                hand.take(nil)
                try await group.waitForAll()
            }
            #expect(notes.all == ["given back", "taken back"])
            #expect(!FileLock.isHeld(lockPath))
        }

        /// The watch is in the middle of something when it is asked.
        @Test func aWordThatIsSaidBeforeAnybodyWaitsForItIsHeard() async throws {
            let desk = try LendingDesk(path: deskPath)
            let pipe = open(deskPath, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            #expect(write(pipe, "?", 1) == 1)
            try await desk.waitUntilAsked()
            close(pipe)
            try await desk.waitUntilReturned()
        }

        @Test func whoDiesWithItHasGivenItBack() async throws {
            let desk = try LendingDesk(path: deskPath)
            let asker = Process()
            asker.executableURL = URL(fileURLWithPath: "/bin/sh")
            asker.arguments = ["-c", "exec 3>\"$0\"; printf '?' >&3; exec sleep 600", deskPath]
            try asker.run()
            try await desk.waitUntilAsked()
            let notes = Notes()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await desk.waitUntilReturned()
                    notes.write("taken back")
                }
                for _ in 0..<1000 { await Task.yield() }
                #expect(notes.all == [], "it lives, and has it")
                kill(asker.processIdentifier, SIGKILL)
                try await group.waitForAll()
            }
            asker.waitUntilExit()
        }

        @Test func whoStopsWaitingForALoanLeavesNothingBehind() async throws {
            let desk = try LendingDesk(path: deskPath)
            let lock = try FileLock.tryTake(lockPath)
            let asking = Task { try await borrow() }
            try await desk.waitUntilAsked()
            asking.cancel()
            await #expect(throws: CancellationError.self) { _ = try await asking.value }
            try await desk.waitUntilReturned()
            withExtendedLifetime(lock) {}
        }

        private func use(_ users: Users) async throws {
            for _ in 0..<5 {
                let loan = try #require(try await borrow())
                users.come()
                for _ in 0..<100 { await Task.yield() }
                users.go()
                withExtendedLifetime(loan) {}
            }
        }

        @Test func twoWhoAskAtOnceHaveItOneAfterTheOther() async throws {
            let desk = try LendingDesk(path: deskPath)
            let watching = Task { try await watch(desk) }
            let users = Users()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await use(users) } }
                try await group.waitForAll()
            }
            #expect(users.most == 1)
            // And the watch has it again.
            while try FileLock.tryTake(lockPath) != nil { await Task.yield() }
            watching.cancel()
            _ = await watching.result
        }
    }
#endif
