import BothyContract
import Testing

@testable import BothyClient

/// What uploads and downloads make of a failure, in the same words.
@Suite struct TransferCourseTests {
    private var records: [any TransferCourse] {
        [
            UploadTransfer(
                transferId: "u", order: UploadOrder(localPath: "/a", name: "a", parentId: File.rootId),
                now: Timestamp(seconds: 0)),
            DownloadTransfer(
                transferId: "d", order: DownloadOrder(fileId: "f", name: "a", destination: "/a"),
                now: Timestamp(seconds: 0)),
        ]
    }

    @Test func theNetworkIsWaitedForWithoutEndAndTheServersOwnFailuresAreNot() {
        for var record in records {
            let lost = TransferFailure(.offline, "The connection was lost.")
            let waits = (0..<100).map { _ in record.isWorthAnotherTry(after: lost) }
            #expect(!waits.contains(false))
            let busy = (0..<100).map { _ in record.isWorthAnotherTry(after: TransferFailure(.homeBusy, "Busy.")) }
            #expect(!busy.contains(false))
            let broken = TransferFailure(.serverFailed, "The server failed.")
            let tries = (0..<6).map { _ in record.isWorthAnotherTry(after: broken) }
            #expect(tries == [true, true, true, true, false, false], "the fifth is a person's")
            let tooLarge = record.isWorthAnotherTry(after: TransferFailure(.fileTooLarge, "Too large."))
            #expect(!tooLarge)
        }
    }

    @Test func whoIsSignedOutIsWaitedForAndAllElseHasFailed() {
        for var record in records {
            record.end(with: TransferFailure(.signInNeeded, "The session has ended."))
            #expect(record.state == .paused(.signInNeeded) && record.lastError?.code == .signInNeeded)
            record.end(with: TransferFailure(.fileMissing, "It is not there."))
            #expect(record.state == .failed)
            record.wait(after: TransferFailure(.offline, "The connection was lost."))
            #expect(record.state == .paused(.offline))
            record.complete(bytes: 7)
            #expect(record.state == .completed && record.lastError == nil && record.shownBytes == 7)
        }
    }
}
