import BothyContract
import Testing

@testable import BothyClient

/// Whose drive it is, before a folder in step or the journal sends anything there.
@Suite struct DriveOwnerTests {
    /// A drive that answers so when it is asked who is signed in.
    private func asked(_ failure: ClientFailure) -> PaperDriveProvider {
        let drive = PaperDrive()
        drive.state.withLock { $0.faults.signIn = failure }
        return drive.from("kitchen")
    }

    @Test(arguments: [FailureCode.signInNeeded, .offline, .serverBusy])
    func whereNobodyCanBeAskedTheFirstRequestSaysSo(_ code: FailureCode) async throws {
        let drive = asked(ClientFailure(code, "Who?"))
        #expect(try await drive.owner() == nil)
    }

    /// The check was passed over, and another account's drive could be taken for this one's.
    @Test(arguments: [FailureCode.permissionDenied, .diskFailed, .homeUnusable, .homeBusy, .answerInvalid, .unexpected])
    func whatKeepsThisDeviceFromKnowingIsNoSignThatAnybodyMay(_ code: FailureCode) async throws {
        let drive = asked(ClientFailure(code, "The sign-in cannot be read."))
        let told = await #expect(throws: ClientFailure.self) { try await drive.owner() }
        #expect(told?.code == code)
    }
}
