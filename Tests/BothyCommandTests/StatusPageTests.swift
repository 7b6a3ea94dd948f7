import BothyAgent
import BothyContract
import Testing

@testable import BothyClient
@testable import bothy

/// The page of `bothy status`.
@Suite struct StatusPageTests {
    private func lines(
        _ carried: CarriedBytes = CarriedBytes(uploaded: 0, sent: 0, downloaded: 0, fetched: 0), watches: [Int32] = [],
        told: [AgentStatusLine] = [], transfers: StatusDocument.Transfers = .init()
    ) -> [String] {
        let document = StatusDocument(
            account: nil, agent: .init(running: false), watches: watches, lines: told, transfers: transfers,
            carried: carried, storage: .init(database: 1 << 20, content: 3 << 20, other: 0),
            kept: KeptHere(knownFiles: 1))
        return StatusPage(document).table.lines
    }

    /// What a row says, without its name.
    private func row(_ name: String, of lines: [String]) -> String? {
        let rows = lines.filter { $0.hasPrefix("\(name) ") }
        #expect(rows.count <= 1, "it is told once")
        return rows.first.map { String($0.dropFirst(name.count).drop { $0 == " " }) }
    }

    private func carried(_ carried: CarriedBytes) -> String? {
        row("carried", of: lines(carried))
    }

    @Test func whatThirtyDaysSavedIsOneLine() {
        let all = CarriedBytes(uploaded: 256 << 20, sent: 1 << 20, downloaded: 10 << 20, fetched: 512 << 10)
        #expect(
            carried(all)
                == "sent 1.0 MiB of 256 MiB, fetched 512 KiB of 10 MiB in 30 days; the rest was already there or compressed"
        )
        let up = CarriedBytes(uploaded: 2048, sent: 0, downloaded: 10, fetched: 10)
        #expect(carried(up) == "sent 0 B of 2.0 KiB in 30 days; the rest was already there or compressed")
        let down = CarriedBytes(uploaded: 0, sent: 0, downloaded: 3 << 30, fetched: 1 << 30)
        #expect(
            carried(down) == "fetched 1.0 GiB of 3.0 GiB in 30 days; the rest was already there or compressed")
    }

    @Test func whereNothingWasSavedNothingIsSaid() {
        #expect(carried(CarriedBytes(uploaded: 0, sent: 0, downloaded: 0, fetched: 0)) == nil)
        #expect(carried(CarriedBytes(uploaded: 5000, sent: 5000, downloaded: 7, fetched: 7)) == nil)
    }

    @Test func storageIsToldByWhatItIsOf() {
        let lines = lines()
        #expect(lines.contains { $0.hasSuffix("4.0 MiB: 3.0 MiB of content, 1.0 MiB for the list of files") })
        #expect(lines.contains { $0.hasPrefix("known") && $0.contains("1 file or folder") })
    }

    /// It said “none runs: beside …”.
    @Test func whoGoesOnByItselfIsSaidInPlainWords() {
        #expect(row("agent", of: lines()) == "not running; nothing is synced automatically")
        #expect(
            row("agent", of: lines(watches: [12]))
                == "not running; only “bothy sync --watch” (process 12) is running")
        #expect(
            row("agent", of: lines(watches: [12, 13]))
                == "not running; only “bothy sync --watch” (processes 12, 13) is running")
    }

    /// “1 failed; 892 MiB to go”: nothing of that goes.
    @Test func whatFailedIsNotToGo() {
        func transfer(_ id: String, _ state: TransferState) -> TransferSnapshot {
            TransferSnapshot(
                id: id, direction: .upload, name: "film", localPath: "/film", state: state, bytesDone: 0,
                bytesTotal: 2048, bytesMoved: 0, failure: nil, remoteFileId: nil, remoteRevisionId: nil, checksum: nil,
                replacedBy: nil, createdAt: Timestamp(seconds: 1), updatedAt: Timestamp(seconds: 2), bytesCarried: nil)
        }
        let failed = StatusDocument.Transfers([transfer("a", .failed)], besides: [])
        #expect(failed.words == "1 failed")
        let both = StatusDocument.Transfers([transfer("a", .failed), transfer("b", .transferring)], besides: [])
        #expect(both.words == "1 under way, 1 failed; 2.0 KiB to go")
    }

    /// One transfer was told in two rows, “transfers” and “open”.
    @Test func whatIsOpenIsToldOnce() {
        func told(_ state: AgentStatusLine.State, reason: String? = nil) -> String? {
            let line = AgentStatusLine("transfers", state, "1 transfer to resume.", reason: reason)
            let lines = lines(told: [line], transfers: .init(underWay: 1, bytesLeft: 2048))
            #expect(!lines.contains { $0.hasPrefix("open") })
            return row("transfers", of: lines)
        }
        #expect(told(.working) == "1 under way; 2.0 KiB to go")
        #expect(
            told(.waiting, reason: "offline") == "1 under way; 2.0 KiB to go: connection lost, trying again")
        #expect(told(.held, reason: "disk_full") == "1 under way; 2.0 KiB to go. 1 transfer to resume.")
        #expect(row("transfers", of: lines()) == "none")
    }
}
