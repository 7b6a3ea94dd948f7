import BothyClient
import Foundation
import Testing

/// Files with holes: a disk image of 3 GiB that takes 12 KiB of one disk should not take 3 GiB of the next.
@Suite struct HolesTests {
    private let folder: TemporaryFolder
    private let file: any LocalFile
    private static let size = 4 << 20

    init() throws {
        folder = try TemporaryFolder()
        file = try SystemDisk().openForWriting(folder.file("image"))
        try file.truncate(to: Int64(Self.size))
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }

    @Test func zerosTakeNoRoom() throws {
        try write([UInt8](repeating: 0, count: Self.size), at: 0)
        try write([1, 2, 3], at: 70_000)
        try file.sync()
        #expect(try file.allocatedBytes() < 64 << 10)
        var expected = [UInt8](repeating: 0, count: Self.size)
        expected.replaceSubrange(70_000..<70_003, with: [1, 2, 3])
        #expect(try folder.read("image") == expected)
    }

    /// A piece that was damaged on its way comes again.
    @Test func zerosReplaceWhatWasThere() throws {
        try write([UInt8](repeating: 7, count: 100_000), at: 1_000)
        try write([UInt8](repeating: 0, count: 50_000), at: 3_001)
        var expected = [UInt8](repeating: 0, count: Self.size)
        for place in 1_000..<101_000 where !(3_001..<53_001).contains(place) { expected[place] = 7 }
        #expect(try folder.read("image") == expected)
    }

    @Test func zerosBehindTheEndMakeTheFileLonger() throws {
        try write([UInt8](repeating: 0, count: 100_000), at: Int64(Self.size) - 50_000)
        #expect(try file.facts().size == Int64(Self.size) + 50_000)
    }
}
