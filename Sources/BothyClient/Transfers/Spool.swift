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
                    throw ClientFailure(.fileTooLarge, "What came in is more than 10 GiB.")
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
