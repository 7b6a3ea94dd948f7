import Foundation
import GRDB
import Testing

@testable import BothyClient

/// What each of SQLite's refusals means on a device: who waits, who is told, and what a person can do.
@Suite struct DatabaseFailureTests {
    private let folder: TemporaryFolder
    private let database: ClientDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try ClientDatabase(path: folder.file("one.sqlite"), remedy: "Move it away.")
    }

    private func refusals(_ code: ResultCode) async throws -> [ClientFailure] {
        let error = DatabaseError(resultCode: code, message: "of a test")
        let written = await #expect(throws: ClientFailure.self) { try await database.write { _ in throw error } }
        let read = await #expect(throws: ClientFailure.self) { try await database.read { _ in throw error } }
        return [try #require(written), try #require(read)]
    }

    @Test func whatAnotherProgramHoldsIsTriedAgainAndCostsNothing() async throws {
        for code in [ResultCode.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_BUSY_SNAPSHOT] {
            for failure in try await refusals(code) {
                #expect(failure.code == .homeBusy && failure.isTransient && failure.isHealedByTime)
                #expect(failure.isOwnTrouble && !failure.isNetworks)
            }
        }
    }

    @Test func aDiskThatFailsOrIsReadOnlyOrDamagedIsToldOfWithWhatToDo() async throws {
        let codes: [(ResultCode, FailureCode, String, String)] = [
            (.SQLITE_IOERR_WRITE, .diskFailed, "disk of this device's home failed", "Check the disk"),
            (.SQLITE_FULL, .diskFull, "no space left", "Its home is"),
            (.SQLITE_READONLY, .homeUnusable, "read-only", "Make it writable"),
            (.SQLITE_CORRUPT, .homeUnusable, "is damaged", "Move it away."),
            (.SQLITE_NOTADB, .homeUnusable, "is damaged", "Move it away."),
            (.SQLITE_CANTOPEN, .homeUnusable, "cannot be opened", "BOTHY_HOME"),
        ]
        for (code, expected, words, remedy) in codes {
            for failure in try await refusals(code) {
                #expect(failure.code == expected && failure.words.contains(words), "\(code): \(failure)")
                #expect(failure.remedy.contains(remedy) && failure.isOwnTrouble, "\(code): \(failure)")
                #expect((failure.isDamage == true) == (words == "is damaged"))
            }
        }
    }

    @Test func whatNobodyForesawKeepsSQLitesWords() async throws {
        for failure in try await refusals(.SQLITE_ERROR) {
            #expect(failure.code == .unexpected && failure.words.contains("of a test"))
        }
    }

    @Test func whatIsNoDatabasesFailureStaysWhatItIs() async throws {
        let own = ClientFailure(.changedMeanwhile, "It changed.")
        await #expect(throws: own) { try await database.write { _ in throw own } }
        await #expect(throws: own) { try await database.read { _ in throw own } }
    }
}
