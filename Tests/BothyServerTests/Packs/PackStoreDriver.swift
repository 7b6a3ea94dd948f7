import BothyContent
import BothyContract
import Logging
import NIOCore
import Testing

@testable import BothyServer

/// A driver under the conformance suite. A second one (S3) joins by a line in `all`.
struct PackStoreDriver: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var open: @Sendable (TemporaryFolder) async throws -> any PackStore

    static let all = [
        PackStoreDriver(testDescription: "file system") { folder in
            try await FilesystemPackStore.open(
                folder: folder.file("packs"), minimumFreeBytes: 0, logger: .silent, maximumPackBytes: 4 << 20)
        }
    ]
}

/// Bytes that look random and are the same each time, and what they are stored as.
struct Block: Sendable {
    var bytes: [UInt8]

    init(_ length: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = (0..<(length / 8 + 1)).map { _ in generator.next() }
        bytes = words.withUnsafeBytes { Array($0.prefix(length)) }
    }

    var hash: ContentHash { SHA256Hasher.hash(bytes) }

    /// Streams it in pieces, and does not wait for the disk.
    func write(to store: any PackStore, pieces: Int = 64 << 10) async throws -> BlockLocation {
        let writer = try await store.begin(length: bytes.count)
        do {
            var rest = bytes[...]
            while !rest.isEmpty {
                try await writer.append(ByteBuffer(bytes: rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
            }
            return try await writer.finish(hash: hash)
        } catch {
            await writer.abandon()
            throw error
        }
    }

    func store(in store: any PackStore, pieces: Int = 64 << 10) async throws -> BlockLocation {
        let location = try await write(to: store, pieces: pieces)
        try await store.makeDurable()
        return location
    }
}

extension PackStore {
    func readAll(_ location: BlockLocation, of block: Block) async throws -> [UInt8] {
        Array(try await read(location, of: block.hash, range: 0..<location.length).readableBytesView)
    }
}

/// Whether an error is the one that rotten bytes are answered with.
func isDamage(_ error: any Error) -> Bool {
    if case PackError.damaged = error { true } else { false }
}

extension Logger {
    /// For tests in which what would be logged is expected.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
