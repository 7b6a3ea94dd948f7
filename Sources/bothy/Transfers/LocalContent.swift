import BothyContent
import BothyContract
import Foundation

/// Compares what is here with what is there.
enum LocalContent {
    /// Bytes read at once.
    private static let readSize = 1 << 20

    /// True when a local file has the very content of a file on the server.
    ///
    /// Another size decides at once, and so does the same size with the same fine time, as with rsync; else the content is read and hashed. A
    /// time of whole seconds, or of hundredths, is that of a disk which keeps no finer ones, or of a tool: an edit within that time keeps it.
    ///
    /// - Parameter trustingTime: false where it is read in any case: a disk that damages a file leaves its time as it was, and so
    ///   does a program that copies a time along.
    static func matches(
        _ path: String, size: Int64, modifiedAt: Timestamp, _ file: File, trustingTime: Bool = true
    ) -> Bool {
        guard !file.isFolder, file.size == size, let checksum = file.checksum else { return false }
        return (trustingTime && modifiedAt == file.modifiedAt && isFine(modifiedAt)) || hash(of: path) == checksum
    }

    static func isFine(_ time: Timestamp) -> Bool { time.nanoseconds % hundredth != 0 }

    /// Nanoseconds.
    private static let hundredth: Int32 = 10_000_000

    /// - Returns: nil for what cannot be read; the transfer finds out why.
    static func hash(of path: String) -> ContentHash? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, readSize)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return hasher.finish() }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
