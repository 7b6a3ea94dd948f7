@testable import BothyClient
import BothyContent
import BothyContract
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

/// A range that comes compressed, in whatever pieces: a chunk counts once its frame has ended, and never before.
@Suite struct RangeSinkTests {
    private static let size = 100_000
    private static let bytes: [UInt8] = {
        var random = SeededRandom(5)
        return (0..<size).map { _ in UInt8(random.below(9)) }
    }()
    /// Of 16,384 bytes each; the first chunk of a file is not in the range.
    private static let grid = ChunkGrid(size: Int64(size), chunkSize: 16_384)
    private static let range = Int64(16_384)..<Int64(size)

    private final class Told: Sendable {
        let chunks = Mutex([Int]())
        let carried = Mutex(Int64(0))
        let moved = Mutex(0)
    }

    /// The bytes in place of a file.
    private final class Memory: LocalFile {
        let bytes = Mutex([UInt8](repeating: 0, count: RangeSinkTests.size))
        var path: String { "" }

        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure) {
            self.bytes.withLock { $0.replaceSubrange(Int(offset)..<(Int(offset) + bytes.count), with: bytes) }
        }

        func facts() throws(ClientFailure) -> FileFacts { throw ClientFailure(.diskFailed, "no file") }
        func changedAt() throws(ClientFailure) -> Timestamp { throw ClientFailure(.diskFailed, "no file") }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Int { 0 }
        func truncate(to size: Int64) throws(ClientFailure) {}
        func sync() throws(ClientFailure) {}
    }

    private func sink(_ told: Told, _ file: Memory) throws -> RangeSink {
        let sink = RangeSink(
            file: file, range: Self.range, grid: Self.grid, etag: nil,
            limit: RateLimit(bytesPerSecond: nil, clock: TestClock()),
            arrived: { index, carried in
                told.chunks.withLock { $0.append(index) }
                told.carried.withLock { $0 += carried ?? -1 }
            },
            moved: { count in told.moved.withLock { $0 += count } })
        #expect(try sink.accepts(status: 226, headers: Self.headers))
        return sink
    }

    private static let headers: HTTPHeaders = [
        HeaderNames.manipulations: InstanceManipulations.packedRange,
        "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)",
    ]

    /// Frames of 30,000 bytes, and what of the stream each ends with.
    private func stream() throws -> (bytes: [UInt8], ends: [Int]) {
        var (stream, ends) = ([UInt8](), [Int]())
        let part = Self.bytes[Int(Self.range.lowerBound)...]
        for start in stride(from: part.startIndex, to: part.endIndex, by: 30_000) {
            stream += try FakeServer.pack(Array(part[start..<min(start + 30_000, part.endIndex)]), isLast: true)
            ends.append(stream.count)
        }
        return (stream, ends)
    }

    @Test(arguments: [1, 7, 1_000, 1 << 20]) func whereverItIsCutItIsTheSame(piece: Int) throws {
        let (told, file, stream) = (Told(), Memory(), try stream().bytes)
        let sink = try sink(told, file)
        for start in stride(from: 0, to: stream.count, by: piece) {
            _ = try sink.take(ByteBuffer(bytes: stream[start..<min(start + piece, stream.count)]))
        }
        try sink.checkComplete()
        #expect(told.chunks.withLock { $0 } == Array(1..<Self.grid.total))
        #expect(told.carried.withLock { $0 } == Int64(stream.count))
        #expect(told.moved.withLock { $0 } == Self.range.count, "what is synced is counted in plain bytes")
        #expect(file.bytes.withLock { $0[Int(Self.range.lowerBound)...] == Self.bytes[Int(Self.range.lowerBound)...] })
    }

    @Test func ofARangeThatEndsAtAnyByteOnlyWholeFramesCount() throws {
        let (stream, ends) = try stream()
        for end in stride(from: 0, to: stream.count, by: 97) {
            let told = Told()
            let sink = try sink(told, Memory())
            _ = try sink.take(ByteBuffer(bytes: stream[..<end]))
            let failure = #expect(throws: ClientFailure.self) { try sink.checkComplete() }
            #expect(failure?.code == .answerInvalid)
            let whole = ends.count { $0 <= end } * 30_000
            let chunks = (Int(Self.range.lowerBound) + whole) / Int(Self.grid.chunkSize)
            #expect(told.chunks.withLock { $0 } == Array(1..<max(1, chunks)), "\(end)")
        }
    }

    @Test func aBitThatFlippedInAFrameIsNotCounted() throws {
        let (stream, ends) = try stream()
        for place in stride(from: ends[0], to: ends[1], by: 61) {
            var bent = stream
            bent[place] ^= 4
            let told = Told()
            let sink = try sink(told, Memory())
            let failure = #expect(throws: ClientFailure.self, "\(place)") {
                _ = try sink.take(ByteBuffer(bytes: bent))
                try sink.checkComplete()
            }
            #expect(failure?.code == .answerInvalid)
            #expect(told.chunks.withLock { $0.allSatisfy { $0 < 3 } })
        }
    }

    @Test(arguments: ["", "zstd", "zstd, range", "range", "range, gzip", "range, zstd, gzip"])
    func whatWasMadeOfItOtherwiseIsNotTaken(_ manipulations: String) throws {
        let sink = RangeSink(
            file: Memory(), range: Self.range, grid: Self.grid, etag: nil,
            limit: RateLimit(bytesPerSecond: nil, clock: TestClock()), arrived: { _, _ in }, moved: { _ in })
        var headers = Self.headers
        headers.replaceOrAdd(name: HeaderNames.manipulations, value: manipulations)
        let failure = #expect(throws: ClientFailure.self) { try sink.accepts(status: 226, headers: headers) }
        #expect(failure?.code == .answerInvalid)
    }
}
