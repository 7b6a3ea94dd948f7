import BothyContract
import Foundation

/// Small files, read and written whole.
extension LocalDisk {
    /// - Throws: `diskFailed` for a file of more than `limit` bytes.
    package func contents(of path: String, atMost limit: Int) throws -> Data {
        let file = try openForReading(path)
        let size = try file.facts().size
        guard size <= limit else { throw ClientFailure(.diskFailed, "“\(path)” is larger than it can be.") }
        var data = Data(count: Int(size))
        var read = 0
        while read < data.count {
            let count = try data.withUnsafeMutableBytes { bytes in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[read...]), at: Int64(read))
            }
            if count == 0 { break }
            read += count
        }
        return data.prefix(read)
    }

    /// Writes a file beside and renames it into place: what was there, or all of the new, is there after a crash.
    package func replace(_ path: String, with data: Data) throws {
        let beside = "\(path).new"
        try remove(beside)
        let file = try openForWriting(beside)
        try data.withUnsafeBytes { bytes in try file.write(bytes, at: 0) }
        try file.sync()
        try rename(beside, to: path, replacing: true)
        try syncFolder(String(path[..<(path.lastSlash ?? path.endIndex)]))
    }
}
