import BothyContract
import Simulation
import Testing

@Suite struct DiskModelTests {
    private static let now = Timestamp(seconds: 1_795_000_000)
    private func disk(_ nature: DiskNature = DiskNature()) -> DiskModel { DiskModel(nature: nature, now: Self.now) }

    @Test func whatWasSyncedOutlivesEveryCrash() throws {
        for seed: UInt64 in 0..<50 {
            var disk = disk()
            try disk.write(["a"], [1])
            disk.sync(["a"])
            try disk.write(["b"], [2])
            var random = SeededRandom(seed)
            disk.crash(&random)
            #expect(disk.bytes(["a"]) == [1])
        }
    }

    @Test func whatWasNotSyncedMayBeGoneOrEmpty() throws {
        var seen = Set<String>()
        for seed: UInt64 in 0..<50 {
            var disk = disk()
            try disk.write(["b"], [2])
            var random = SeededRandom(seed)
            disk.crash(&random)
            seen.insert(disk.bytes(["b"]).map { $0.isEmpty ? "empty" : "whole" } ?? "gone")
        }
        #expect(seen == ["gone", "empty"])
    }

    @Test func namesGoBackToOneMomentAndAreNeverMixed() throws {
        for seed: UInt64 in 0..<50 {
            var disk = disk()
            try disk.write(["a"], [1])
            disk.settle()
            try disk.rename(["a"], ["b"], replacing: false)
            try disk.rename(["b"], ["c"], replacing: false)
            var random = SeededRandom(seed)
            disk.crash(&random)
            #expect(disk.walk().count == 1, "a rename neither loses a file nor doubles it")
        }
    }

    @Test func aDiskThatTellsNoCaseApartKeepsTheNameItWasGiven() throws {
        var disk = disk(DiskNature(naming: .caseInsensitive))
        try disk.write(["Report"], [1])
        #expect(disk.bytes(["rEPORT"]) == [1])
        #expect(throws: DiskModel.Fault.exists) { try disk.makeFolder(["report"]) }
        try disk.rename(["report"], ["REPORT"], replacing: false)
        #expect(disk.names(in: []) == ["REPORT"])
    }

    @Test func aDecomposingDiskListsAnotherSpelling() throws {
        var disk = disk(DiskNature(naming: .decomposing))
        try disk.write(["caf\u{E9}"], [1])
        #expect(disk.names(in: []).map { Array($0.utf8) } == [Array("cafe\u{301}".utf8)])
        #expect(disk.bytes(["caf\u{E9}"]) == [1])
    }

    @Test func anExactDiskHoldsBothSpellings() throws {
        var disk = disk()
        try disk.write(["caf\u{E9}"], [1])
        try disk.write(["cafe\u{301}"], [2])
        #expect(disk.walk().count == 2)
    }

    @Test func aFullDiskSaysSoAndChangesNothing() throws {
        var disk = disk(DiskNature(capacity: 10))
        try disk.write(["a"], [UInt8](repeating: 1, count: 8))
        #expect(throws: DiskModel.Fault.full) { try disk.write(["b"], [1, 2, 3]) }
        #expect(disk.walk() == [["a"]])
    }

    @Test func aFolderGoesNowhereBelowItself() throws {
        var disk = disk()
        try disk.makeFolder(["a"])
        try disk.makeFolder(["a", "b"])
        #expect(throws: DiskModel.Fault.intoItself) { try disk.rename(["a"], ["a", "b", "c"], replacing: false) }
    }
}
