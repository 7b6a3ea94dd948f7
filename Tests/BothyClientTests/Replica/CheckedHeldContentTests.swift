import BothyClient
import BothyContent
import BothyContract
import Foundation
import NIOCore
import Testing

/// What is held here goes out as it should be, or not as a whole.
@Suite struct CheckedHeldContentTests {
    private static let piece = Int(LocalReading.piece)

    private let folder: TemporaryFolder
    private let held = CheckedHeldContent(disk: SystemDisk())

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

    private func copy(_ bytes: [UInt8]) throws -> HeldCopy {
        HeldCopy(
            kind: .held(revision: "r1"), path: try folder.write("r1", bytes), size: Int64(bytes.count),
            checksum: SHA256Hasher.hash(bytes))
    }

    /// - Returns: what went out, and how it ended.
    private func read(
        _ range: Range<Int64>? = nil, of copy: HeldCopy
    ) async throws -> (bytes: [UInt8], damage: CheckedHeldContent.Damage?) {
        var read = [UInt8]()
        do {
            try await held.send(range ?? 0..<copy.size, of: copy) { read += $0.readableBytesView }
            return (read, nil)
        } catch let damage as CheckedHeldContent.Damage {
            return (read, damage)
        }
    }

    @Test(arguments: [0, 1, Self.piece, 2 * Self.piece + 7]) func whatIsRightGoesOutAsItIs(_ count: Int) async throws {
        let bytes = bytes(count)
        let (read, damage) = try await read(of: copy(bytes))
        #expect(read == bytes && damage == nil)
    }

    @Test(arguments: [1, Self.piece]) func nothingOfASmallFileWithAFlippedBitGoesOut(_ count: Int) async throws {
        let copy = try copy(bytes(count))
        try flipABit(of: copy.path, at: count - 1)
        let (read, damage) = try await read(of: copy)
        #expect(read.isEmpty && damage?.isBegun == false)
    }

    @Test(arguments: [0, 2 * Self.piece]) func aLargeFileWithAFlippedBitNeverGoesOutWhole(_ place: Int) async throws {
        let copy = try copy(bytes(2 * Self.piece + 7))
        try flipABit(of: copy.path, at: place)
        let (read, damage) = try await read(of: copy)
        #expect(read.count == 2 * Self.piece && damage?.isBegun == true)
    }

    @Test func aFileThatLostItsEndIsDamaged() async throws {
        let copy = try copy(bytes(9))
        try folder.write("r1", bytes(8))
        let (read, damage) = try await read(of: copy)
        #expect(read.isEmpty && damage?.isBegun == false)
    }

    @Test func nothingOfAPartGoesOutWhereAnotherPartIsDamaged() async throws {
        let bytes = bytes(3 * Self.piece)
        let copy = try copy(bytes)
        #expect(try await read(5..<9, of: copy).bytes == Array(bytes[5..<9]))
        try flipABit(of: copy.path, at: 2 * Self.piece)
        let (read, damage) = try await read(5..<9, of: copy)
        #expect(read.isEmpty && damage?.isBegun == false, "who touches it is noticed by the inode’s own time")
    }

    @Test func aWholeIsReadOnceForAllItsParts() async throws {
        let disk = FaultyDisk()
        let (held, bytes) = (CheckedHeldContent(disk: disk), bytes(3 * Self.piece))
        let copy = try copy(bytes)
        for range: Range<Int64> in [5..<9, 7..<8, 0..<1] {
            var read = [UInt8]()
            // The first reads three pieces to know it; each of them then reads its own.
            disk.fail(.read, after: range == 5..<9 ? 4 : 1)
            try await held.send(range, of: copy) { read += $0.readableBytesView }
            #expect(read == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    @Test func whatNobodyKnowsTheHashOfGoesOutAsItIs() async throws {
        var copy = try copy(bytes(9))
        copy.checksum = nil
        try flipABit(of: copy.path, at: 0)
        #expect(try await read(of: copy).damage == nil)
        #expect(try await read(0..<1, of: copy).bytes == [bytes(1)[0] ^ 1])
    }
}

/// As a disk may do it.
func flipABit(of path: String, at place: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(place))
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(place))
    try file.write(contentsOf: Data([byte ^ 1]))
    try file.close()
}
