import BothyContract
import NIOCore

/// Stands where the packs will.
struct NoPacks: PackStore {
    func begin(length: Int) async throws -> any PackBlockWriter { throw PackError.failed("no packs") }
    func makeDurable() async throws {}
    func read(_ location: BlockLocation, range: Range<Int>) async throws -> ByteBuffer { throw PackError.failed("no packs") }
    func reclaim(keeping live: @Sendable (Int64) async throws -> [BlockLocation], asOf mark: ReclaimMark) async throws -> Int64 { 0 }
    func reclaimMark() async -> ReclaimMark { ReclaimMark(pack: 0, offset: 0) }
    func verify(_ locations: [BlockLocation]) async throws -> [BlockLocation] { [] }
    func checkHealth() throws {}
    func usage() throws -> PackUsage { PackUsage(packs: 0, usedBytes: 0, freeBytes: 0) }
    func close() async throws {}
}
