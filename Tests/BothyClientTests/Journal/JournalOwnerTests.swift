import BothyContract
import Testing

@testable import BothyClient

/// What one account's person did is sent into no other account: nothing leaves while it is not known whose drive it would go to.
@Suite struct JournalOwnerTests {
    private func replica(asked failure: ClientFailure) async throws -> TestReplica {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        try await replica.record(.createFolder(parent: .root, name: "Letters"))
        replica.drive.state.withLock { $0.faults.signIn = failure }
        return replica
    }

    /// The check was passed over where the network failed at that moment, and the request after it went through.
    @Test(arguments: [FailureCode.offline, .serverBusy])
    func nothingIsSentWhileItCannotBeAskedWhoseDriveItIs(_ code: FailureCode) async throws {
        let replica = try await replica(asked: ClientFailure(code, "Nobody answers."))
        guard case .held(.until(_, let failure)) = try await replica.push() else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.code == code && replica.drive.requests.isEmpty)
        #expect(try await replica.store.operations().map(\.sent) == [false])
        replica.drive.state.withLock { $0.faults.signIn = nil }
        try await replica.runner.wake()
        #expect(try await replica.push() == .done)
        #expect(replica.fetched() == ["/Letters/"])
    }

    @Test func whereNobodyIsSignedInTheOperationSaysSoAndWaits() async throws {
        let replica = try await replica(asked: ClientFailure(.signInNeeded, "Nobody is signed in."))
        guard case .held(.signIn) = try await replica.push() else {
            Issue.record("it was sent")
            return
        }
        let waiting = try await replica.store.operations()
        #expect(waiting.map(\.lastError?.code) == [.signInNeeded] && waiting.map(\.sent) == [false])
        #expect(waiting.map(\.attempts) == [0] && replica.drive.requests.isEmpty)
        replica.drive.state.withLock { $0.faults.signIn = nil }
        try await replica.runner.wake()
        #expect(try await replica.push() == .done)
        #expect(replica.fetched() == ["/Letters/"])
    }

    @Test func whatKeepsThisDeviceFromKnowingEndsThePush() async throws {
        let replica = try await replica(asked: ClientFailure(.diskFailed, "The sign-in cannot be read."))
        await #expect(throws: ClientFailure.self) { try await replica.push() }
        #expect(replica.drive.requests.isEmpty)
    }
}
