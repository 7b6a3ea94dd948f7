import BothyContent
import BothyContract
import NIOCore

@testable import BothyServer

extension FuzzTarget {
    /// A pack's bytes: what is read out of them is a block that was written, or damage. The input is laid over a whole pack: two
    /// bytes of place, two of length, then what is written there, again and again.
    static let packRecords = FuzzTarget("pack-records", words: ["BothyBlk", "BothyBlz", "BothyPk1"]) { input in
        let disk = OneFileDisk(FuzzedPack.whole.bytes.overlaid(with: input))
        let file = PackFile(pack: 1, path: "/pack", descriptor: 1, disk: disk)
        for record in FuzzedPack.whole.records {
            for range in [0..<record.block.count, 0..<1, record.block.count / 2..<record.block.count] {
                do {
                    let read = try PackRecord(location: record.location, hash: record.hash).read(range, from: file)
                    try require(Array(read.readableBytesView) == Array(record.block[range]), "other bytes are served")
                } catch PackError.damaged {}
            }
        }
    }

    /// A Zstandard frame, as a pack or a device gives it.
    static let frames = FuzzTarget("frames", words: ["\u{28}"]) { input in
        for most in [0, 100, 100_000] {
            let block = input.withUnsafeBytes { Zstd.decompress($0, upTo: most) }
            try require((block?.count ?? 0) <= most, "\(block?.count ?? 0) bytes came where \(most) may")
        }
    }
}

/// A pack with a plain and a compressed record.
private struct FuzzedPack: Sendable {
    struct Record: Sendable {
        var location: BlockLocation
        var hash: ContentHash
        var block: [UInt8]
    }

    static let whole = FuzzedPack()

    private(set) var bytes = PackFormat.packHeader(1)
    private(set) var records = [Record]()

    private init() {
        let plain = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let text = Array(String(repeating: "a shelter stands open in any weather ", count: 100).utf8)
        guard let frame = text.withUnsafeBytes({ Zstd.compress($0) }) else { preconditionFailure("memory for a frame") }
        add(plain, as: plain)
        add(text, as: frame)
    }

    private mutating func add(_ block: [UInt8], as payload: [UInt8]) {
        let location = BlockLocation(
            pack: 1, offset: Int64(bytes.count + PackFormat.headerBytes), length: block.count, stored: payload.count)
        let hash = SHA256Hasher.hash(block)
        var checksums = PageChecksums()
        checksums.update(ByteBuffer(bytes: payload))
        bytes += PackFormat.recordHeader(location, hash: hash) + payload
        bytes += PackFormat.table(checksums.finished(), at: location)
        records.append(Record(location: location, hash: hash, block: block))
    }
}

extension [UInt8] {
    fileprivate func overlaid(with input: [UInt8]) -> [UInt8] {
        var (bytes, rest) = (self, input[...])
        while rest.count > 4 {
            let head = rest.prefix(4).map { Int($0) }
            let place = (head[0] << 8 | head[1]) % bytes.count
            let patch = rest.dropFirst(4).prefix(1 + head[2] % 64)
            rest = rest.dropFirst(4 + patch.count)
            // An odd number says that the pack ends here.
            if head[3] % 32 == 31 { bytes.removeLast(bytes.count - Swift.max(place, 1)) }
            for (index, byte) in patch.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
        }
        return bytes
    }
}

/// One file that is only read.
private struct OneFileDisk: DiskOperations {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let refusal = DiskFailure(call: "change", code: 30)

    func read(_ file: Int32, into parts: [UnsafeMutableRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        var rest = bytes.dropFirst(Int(offset))
        var count = 0
        for part in parts {
            let piece = rest.prefix(part.count)
            part.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            count += piece.count
        }
        return count
    }

    func size(_ file: Int32) throws(DiskFailure) -> FileExtent {
        FileExtent(bytes: Int64(bytes.count), allocatedBytes: Int64(bytes.count))
    }

    func open(_ path: String) throws(DiskFailure) -> Int32 { 1 }
    func openForReading(_ path: String) throws(DiskFailure) -> Int32 { try open(path) }
    func close(_ file: Int32) {}
    func list(_ directory: String) throws(DiskFailure) -> [String] { [] }
    func freeBytes(_ path: String) throws(DiskFailure) -> Int64 { 0 }
    func startWriteback(_ file: Int32, offset: Int64, length: Int64) {}
    func create(_ path: String) throws(DiskFailure) -> Int32 { throw Self.refusal }
    func write(_ file: Int32, _ parts: [UnsafeRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        throw Self.refusal
    }
    func sync(_ file: Int32) throws(DiskFailure) { throw Self.refusal }
    func syncDirectory(_ path: String) throws(DiskFailure) { throw Self.refusal }
    func punchHole(_ file: Int32, offset: Int64, length: Int64) throws(DiskFailure) { throw Self.refusal }
    func remove(_ path: String) throws(DiskFailure) { throw Self.refusal }
    func makeDirectory(_ path: String) throws(DiskFailure) { throw Self.refusal }
}
