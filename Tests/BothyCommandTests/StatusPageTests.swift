import BothyContract
import Testing

@testable import BothyClient
@testable import bothy

/// The page of `bothy status`, of a device that nothing is wrong with.
@Suite struct StatusPageTests {
    private func lines(_ carried: CarriedBytes) -> [String] {
        let document = StatusDocument(
            account: nil, agent: .init(running: false), watches: [], lines: [], transfers: .init(), carried: carried,
            storage: .init(database: 1 << 20, content: 3 << 20, other: 0), kept: KeptHere(knownFiles: 1))
        return StatusPage(document).table.lines
    }

    private func carried(_ carried: CarriedBytes) -> String? {
        lines(carried).first { $0.hasPrefix("carried") }.map {
            String($0.dropFirst("carried".count).drop { $0 == " " })
        }
    }

    @Test func whatThirtyDaysSavedIsOneLine() {
        let all = CarriedBytes(uploaded: 256 << 20, sent: 1 << 20, downloaded: 10 << 20, fetched: 512 << 10)
        #expect(
            carried(all)
                == "sent 1.0 MiB of 256 MiB, fetched 512 KiB of 10 MiB in 30 days; the rest was there already, or went compressed"
        )
        let up = CarriedBytes(uploaded: 2048, sent: 0, downloaded: 10, fetched: 10)
        #expect(carried(up) == "sent 0 B of 2.0 KiB in 30 days; the rest was there already, or went compressed")
        let down = CarriedBytes(uploaded: 0, sent: 0, downloaded: 3 << 30, fetched: 1 << 30)
        #expect(
            carried(down) == "fetched 1.0 GiB of 3.0 GiB in 30 days; the rest was there already, or went compressed")
    }

    @Test func whereNothingWasSavedNothingIsSaid() {
        #expect(carried(CarriedBytes(uploaded: 0, sent: 0, downloaded: 0, fetched: 0)) == nil)
        #expect(carried(CarriedBytes(uploaded: 5000, sent: 5000, downloaded: 7, fetched: 7)) == nil)
    }

    @Test func storageIsToldByWhatItIsOf() {
        let lines = lines(CarriedBytes(uploaded: 0, sent: 0, downloaded: 0, fetched: 0))
        #expect(lines.contains { $0.hasSuffix("4.0 MiB: 3.0 MiB of content, 1.0 MiB of what is known about files") })
        #expect(lines.contains { $0.hasPrefix("known") && $0.contains("1 file or folder") })
    }
}
