import BothyContract
import NIOCore

/// What comes from standard input, kept until it is sent: it cannot be read twice.
struct Spool: Sendable {
    let path: String
    let disk: any LocalDisk

    /// - Returns: how many bytes came.
    func fill<Bytes: AsyncSequence & Sendable>(from bytes: Bytes) async throws -> Int64
    where Bytes.Element == ByteBuffer {
        let queue = DiskQueue("spool")
        do {
            let file = try disk.openForWriting(path)
            var offset: Int64 = 0
            for try await buffer in bytes {
                let start = offset
                offset += Int64(buffer.readableBytes)
                guard offset <= UploadLimits.maximumFileSize else {
                    throw ClientFailure(.fileTooLarge, "The input is larger than 10 GiB.")
                }
                try await queue.run { try buffer.withUnsafeReadableBytes { try file.write($0, at: start) } }
            }
            try await queue.run { try file.sync() }
            return offset
        } catch {
            try disk.remove(path)
            throw error
        }
    }
}

extension TransfersRepository {
    /// Seconds for which what came in lies still before its transfer is written down: the writer may pause.
    private static let grace: Int64 = 86_400

    /// What no transfer speaks of, from processes that died, goes where things lie that were given up: nobody knows whether there
    /// is another copy. What was sent is let go.
    package func sweepSpool() async throws {
        let now = services.clock.now()
        for entry in try content.entries(in: content.spoolFolder) where now.seconds(since: entry.changedAt) > Self.grace
        {
            let record = try await store.find(entry.name)
            let (disk, path) = (services.environment.disk, content.spoolPath(entry.name))
            if record?.state.isOver == true {
                try disk.remove(path)
            } else if record == nil {
                try disk.rename(path, to: content.trashPath(entry.name), replacing: true)
            }
        }
    }
}
