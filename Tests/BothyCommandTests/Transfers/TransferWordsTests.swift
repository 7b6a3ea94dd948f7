import BothyContract
import Testing

@testable import BothyClient
@testable import bothy

/// What is told of the bytes that a transfer did not have to carry.
@Suite struct TransferWordsTests {
    private func words(_ carried: Int64?, of total: Int64?, _ direction: TransferSnapshot.Direction = .upload)
        -> String?
    {
        TransferWords.carried(
            TransferSnapshot(
                id: "t", direction: direction, name: "film", localPath: "/film", state: .completed,
                bytesDone: total ?? 0, bytesTotal: total, bytesMoved: 0, failure: nil, remoteFileId: nil,
                remoteRevisionId: nil, checksum: nil, replacedBy: nil, createdAt: Timestamp(seconds: 1),
                updatedAt: Timestamp(seconds: 2), bytesCarried: carried))
    }

    @Test func whatWasSentOrFetchedIsToldWhereItIsLessThanTheFile() {
        #expect(words(1 << 20, of: 256 << 20) == ", sent 1.0 MiB")
        #expect(words(1 << 20, of: 256 << 20, .download) == ", fetched 1.0 MiB")
        #expect(words(0, of: 6 << 20) == ", sent 0 B")
    }

    @Test func nearlyAllIsAll() {
        #expect(words(899, of: 1000) == ", sent 899 B")
        #expect(words(900, of: 1000) == nil)
        #expect(words(1000, of: 1000) == nil)
        // It was sent more than once: no saving to speak of.
        #expect(words(5000, of: 1000) == nil)
        #expect(words(0, of: 0) == nil)
    }

    @Test func nothingIsToldOfWhatIsNotKnown() {
        #expect(words(nil, of: 1000) == nil)
        #expect(words(10, of: nil) == nil)
    }

    /// What a failed upload had sent counted, and the advice that was given freed none of it.
    @Test func anUploadThatFailedForWantOfRoomSaysHowToFreeWhatItHolds() throws {
        func held(_ done: Int64, _ code: FailureCode, _ state: TransferState = .failed) -> String? {
            TransferWords.held(
                byFailed: TransferSnapshot(
                    id: "11dc4a99", direction: .upload, name: "film", localPath: "/film", state: state,
                    bytesDone: done, bytesTotal: 40 << 20, bytesMoved: 0, failure: ClientFailure(code, "No."),
                    remoteFileId: nil, remoteRevisionId: nil, checksum: nil, replacedBy: nil,
                    createdAt: Timestamp(seconds: 1), updatedAt: Timestamp(seconds: 2)))
        }
        let words = try #require(held(7 << 20, .quotaExceeded))
        #expect(words.contains("7.0 MiB") && words.contains("“bothy transfers cancel dc4a99”"), "\(words)")
        #expect(held(7 << 20, .serverFull) != nil)
        #expect(held(0, .quotaExceeded) == nil && held(7 << 20, .refused) == nil)
        #expect(held(7 << 20, .quotaExceeded, .canceled) == nil)
    }
}
