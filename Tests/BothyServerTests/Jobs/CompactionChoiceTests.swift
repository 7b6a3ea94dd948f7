import Testing

@testable import BothyServer

@Suite struct CompactionChoiceTests {
    private static let mib: Int64 = 1 << 20

    private func pack(_ number: Int64, length: Int64, onDisk: Int64) -> PackExtent {
        PackExtent(pack: number, bytes: length * Self.mib, allocatedBytes: onDisk * Self.mib)
    }

    private func live(_ mebibytes: Int64) -> PackOccupancy { PackOccupancy(blocks: 1, bytes: mebibytes * Self.mib) }

    @Test func whatHolesGaveBackAlreadyIsNotCopied() {
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 201)], [1: live(200)]) == [])
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 512)], [1: live(510)]) == [])
    }

    @Test func aDiskWithoutHolesHasItsPacksRewrittenOnceAQuarterIsDead() {
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 512)], [1: live(385)]) == [])
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 512)], [1: live(384)]) == [1])
    }

    @Test func aPackThatIsNearlyAllHoleGoesSoThatFilesDoNotGrowInNumber() {
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 65)], [1: live(65)]) == [])
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 64)], [1: live(64)]) == [1])
    }

    @Test func whatGivesBackMostForItsCopyComesFirst() {
        let packs = (1...3).map { pack($0, length: 512, onDisk: 512) }
        #expect(CompactionChoice.packs(packs, [1: live(300), 2: live(20), 3: live(300)]) == [2, 1, 3])
    }

    @Test func aPackInWhichNothingLivesNeedsNoCopy() {
        #expect(CompactionChoice.packs([pack(1, length: 512, onDisk: 512)], [:]) == [])
    }

    @Test func aFewDeadBytesAreNotWorthIt() {
        let small = PackExtent(pack: 1, bytes: Self.mib, allocatedBytes: Self.mib)
        #expect(CompactionChoice.packs([small], [1: PackOccupancy(blocks: 9, bytes: Self.mib / 2)]) == [])
    }
}
