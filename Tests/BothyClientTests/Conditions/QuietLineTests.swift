import BothyClient
import BothyContract
import Testing

/// The line that tells how a device stands: what stops everything is told before what stops a part.
@Suite struct QuietLineTests {
    private static let pause = PauseRule.condition(of: DevicePause(until: Timestamp(seconds: 9)))

    private func kind(
        isSignedIn: Bool = true, pause: Condition? = nil, offline: QuietLine.Offline? = nil, asking: Int = 0,
        conflicts: Int = 0, folders: Int = 0,
        open: Int = 0, isWorking: Bool = false
    ) -> QuietLine.Kind {
        QuietLine(
            isSignedIn: isSignedIn, pause: pause, offline: offline,
            asked: .init(folders: folders, conflicts: conflicts, transfers: asking), open: open, isWorking: isWorking,
            asOf: nil
        ).kind
    }

    @Test func whatStopsEverythingIsToldFirst() {
        let offline = QuietLine.Offline(since: Timestamp(seconds: 1))
        #expect(kind(isSignedIn: false, pause: Self.pause, offline: offline, asking: 1) == .signInNeeded)
        #expect(
            kind(pause: Self.pause, offline: offline, asking: 1, open: 1)
                == .paused(rule: "pause", until: Timestamp(seconds: 9)))
        #expect(kind(offline: offline, asking: 1, open: 1) == .offline(since: Timestamp(seconds: 1)))
        #expect(kind(offline: .init(isDiskFull: true), asking: 1, open: 1) == .diskFull)
        #expect(kind(asking: 2, open: 1) == .asks(2, .transfers))
        #expect(kind(asking: 2, conflicts: 1) == .asks(3, .conflicts))
        #expect(kind(asking: 2, conflicts: 1, folders: 1) == .asks(4, .folders))
        #expect(kind(open: 1) == .working && kind(isWorking: true) == .working && kind() == .inStep)
    }

    /// In every way in which things can stand, «in step» is claimed only where nothing is left to be done.
    @Test func inStepIsNeverSaidTooEarly() {
        for bits in 0..<64 {
            func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
            let kind = kind(
                isSignedIn: bit(0), pause: bit(1) ? Self.pause : nil, offline: bit(2) ? .init() : nil,
                asking: bit(3) ? 1 : 0, open: bit(4) ? 3 : 0, isWorking: bit(5))
            #expect((kind == .inStep) == (bits == 1), "\(bits)")
        }
    }

    /// A folder that nobody has looked at yet, or in which something failed, is not in step.
    @Test(
        arguments: [
            (.inStep, .inStep), (.unwatched, .working), (.working, .working), (.partly(failed: 1), .working),
            (.waiting(ClientFailure(.permissionDenied, "It cannot be read.")), .working),
            (.held(.folderEmptied), .asks(1, .folders)), (.lacking(2), .asks(1, .folders)),
        ] as [(FolderInStep.State, QuietLine.Kind)])
    func aHomeIsInStepWhereEachOfItsFoldersIs(_ state: FolderInStep.State, _ kind: QuietLine.Kind) async throws {
        let device = try await TestDevice("http://127.0.0.1:1")
        let standing = HomeStanding(
            home: device.home, clock: device.clock,
            transfers: HomeTransfers(home: device.home, clock: device.clock) { false },
            conflicts: HomeConflicts(replica: device.home.replica) { _ in nil },
            folders: SomeFolders([.inStep, state]), way: { HomeStanding.Way() }, changed: {})
        #expect(try await standing.line().kind == kind)
        try await device.close()
    }

    @Test func aHomeTellsOfItsPauseAndOfNobody() async throws {
        let device = try await TestDevice("http://127.0.0.1:1")
        let transfers = HomeTransfers(home: device.home, clock: device.clock) { false }
        let standing = HomeStanding(
            home: device.home, clock: device.clock, transfers: transfers,
            conflicts: HomeConflicts(replica: device.home.replica) { _ in nil }, folders: SomeFolders([]),
            way: { HomeStanding.Way() }, changed: {})
        #expect(try await standing.line().kind == .inStep)
        _ = try await device.home.replica.record(.createFolder(parent: .root, name: "Letters"))
        #expect(try await standing.line() == QuietLine(kind: .working, open: 1))
        try await standing.pause(seconds: 60)
        guard case .paused("pause", .some) = try await standing.line().kind else {
            Issue.record("it is not paused")
            return
        }
        try await standing.resume()
        #expect(try await standing.line().kind == .working)
        try await device.close()
    }
}
