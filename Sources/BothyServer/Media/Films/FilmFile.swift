import Foundation
import NIOCore
import NIOPosix

/// A prepared film, open to be read. It stays readable where it is taken away meanwhile.
final class FilmFile: Sendable {
    /// Bytes that are read at once.
    private static let piece = 256 << 10

    let path: String
    let size: Int64
    /// Another one for each time that it is made: it may be made by another release of the programs.
    let made: UInt64
    private let descriptor: Int32

    /// - Returns: nil where there is none, or one without its bytes.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else {
            _ = close(descriptor)
            return nil
        }
        (self.path, self.descriptor) = (path, descriptor)
        (size, made) = (Int64(status.st_size), UInt64(status.st_ino))
    }

    deinit { _ = close(descriptor) }

    /// Hands on a range, in order.
    ///
    /// - Throws: `POSIXError`; what `send` throws.
    func send(_ range: Range<Int64>, to send: (ByteBuffer) async throws -> Void) async throws {
        var place = range.lowerBound
        while place < range.upperBound {
            let (from, count) = (place, Int(min(Int64(Self.piece), range.upperBound - place)))
            let bytes = try await NIOThreadPool.singleton.runIfActive { [self] in try read(from, count) }
            try await send(bytes)
            place += Int64(bytes.readableBytes)
        }
    }

    private func read(_ place: Int64, _ count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            max(0, pread(descriptor, bytes.baseAddress, count, off_t(place)))
        }
        // It never grows shorter: nothing was read where something is says that the disk fails.
        guard read > 0 else { throw POSIXError(.EIO) }
        return buffer
    }
}
