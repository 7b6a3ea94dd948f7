import BothyContract
import NIOCore
import Synchronization

@testable import BothyServer

/// Packs in memory that know what a power cut would leave, and that fail when they are told to.
final class MemoryPacks: PackStore {
    private struct State {
        var next: Int64 = 0
        var blocks = [BlockLocation: [UInt8]]()
        var names = [BlockLocation: ContentHash]()
        var durable = Set<BlockLocation>()
        var damaged = Set<BlockLocation>()
        var failsNextSync = false
        var meanwhile: (@Sendable () async throws -> Void)?
        var underWay = 0
        var abandoned = 0
    }

    private let state = Mutex(State())

    /// Blocks that were finished and not lost.
    var blockCount: Int { state.withLock { $0.blocks.count } }
    /// Writers that were neither finished nor abandoned.
    var writersUnderWay: Int { state.withLock { $0.underWay } }
    var abandoned: Int { state.withLock { $0.abandoned } }

    /// Loses everything that no fsync had covered.
    func cutPower() {
        state.withLock { state in state.blocks = state.blocks.filter { state.durable.contains($0.key) } }
    }

    func failNextSync() { state.withLock { $0.failsNextSync = true } }

    func damageEverything() { state.withLock { $0.damaged = Set($0.blocks.keys) } }

    func damage(_ location: BlockLocation) { state.withLock { _ = $0.damaged.insert(location) } }

    /// What lies there is other bytes, and every checksum over them is right.
    func replaceEverything(with byte: UInt8) {
        state.withLock { state in
            for (location, bytes) in state.blocks {
                state.blocks[location] = [UInt8](repeating: byte, count: bytes.count)
            }
        }
    }

    /// What others do at each read.
    func atEachRead(_ meanwhile: (@Sendable () async throws -> Void)?) { state.withLock { $0.meanwhile = meanwhile } }

    func repairEverything() { state.withLock { $0.damaged = [] } }

    // MARK: - PackStore

    func begin(length: Int, stored: Int) async throws -> any PackBlockWriter {
        precondition(stored == length, "packs in memory keep blocks as they come")
        let offset = state.withLock { state in
            defer { state.next += Int64(length) }
            state.underWay += 1
            return state.next
        }
        return MemoryBlockWriter(packs: self, location: BlockLocation(pack: 1, offset: offset, length: length))
    }

    func keep(_ blocks: [WholeBlock]) async throws -> [BlockLocation] {
        var locations = [BlockLocation]()
        for block in blocks {
            let writer = try await begin(length: block.bytes.readableBytes)
            try await writer.append(block.bytes)
            locations.append(try await writer.finish(hash: block.hash))
        }
        try await makeDurable()
        for (location, block) in zip(locations, blocks) { try await checkStored(location, of: block.hash) }
        return locations
    }

    fileprivate func finish(_ location: BlockLocation, _ hash: ContentHash, _ bytes: [UInt8]) {
        precondition(bytes.count == location.length, "a block is as long as it was begun")
        state.withLock { state in
            state.underWay -= 1
            state.blocks[location] = bytes
            state.names[location] = hash
        }
    }

    fileprivate func abandon() {
        state.withLock { state in
            state.underWay -= 1
            state.abandoned += 1
        }
    }

    func makeDurable() async throws {
        try state.withLock { state in
            if state.failsNextSync {
                state.failsNextSync = false
                throw PackError.poisoned("the test said so")
            }
            state.durable.formUnion(state.blocks.keys)
        }
    }

    func read(_ location: BlockLocation, of hash: ContentHash, range: Range<Int>) async throws -> ByteBuffer {
        try await state.withLock(\.meanwhile)?()
        return try state.withLock { state in
            guard let bytes = state.blocks[location], state.names[location] == hash, !state.damaged.contains(location)
            else {
                throw PackError.damaged(location)
            }
            return ByteBuffer(bytes: bytes[range])
        }
    }

    func reclaim(
        _ pack: Int64?, keeping live: @Sendable (Int64) async throws -> [BlockLocation], asOf mark: ReclaimMark
    ) async throws -> Int64 {
        let live = Set(try await live(1))
        return state.withLock { state in
            let dead = state.blocks.keys.filter { !live.contains($0) && $0.offset < mark.offset }
            for location in dead { state.blocks[location] = nil }
            return dead.reduce(0) { $0 + Int64($1.length) }
        }
    }

    func fullPacks() async throws -> [PackExtent] { [] }

    func reclaimMark() async -> ReclaimMark { end }

    var end: ReclaimMark { ReclaimMark(pack: 1, offset: state.withLock { $0.next }) }

    func withoutReclaim<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await body()
    }

    func unsettled(in folder: String) async throws -> [Int64] { [] }

    func copy(
        to folder: String, settledBefore mark: ReclaimMark, living: [Int64: [Range<Int64>]]
    ) async throws -> PackCopy {
        throw PackError.failed("packs in memory are not copied")
    }

    func probe() async throws {}

    func checkHealth() throws {}
    var isShortOfRoom: Bool { false }

    func usage() throws -> PackUsage { PackUsage(packs: 1, usedBytes: 0, freeBytes: 0) }

    func close() async throws {}
}

private final class MemoryBlockWriter: PackBlockWriter {
    private let packs: MemoryPacks
    private let location: BlockLocation
    private let bytes = Mutex([UInt8]())

    init(packs: MemoryPacks, location: BlockLocation) {
        self.packs = packs
        self.location = location
    }

    func append(_ buffer: ByteBuffer) async throws { bytes.withLock { $0 += buffer.readableBytesView } }

    func finish(hash: ContentHash) async throws -> BlockLocation {
        packs.finish(location, hash, bytes.withLock { $0 })
        return location
    }

    func abandon() async { packs.abandon() }
}
