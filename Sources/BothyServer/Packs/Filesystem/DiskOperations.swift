/// What the pack store asks of a disk, call by call, so that tests can make each of them fail and can let a disk forget
/// what was never synced. Calls block; they belong on threads of their own.
package protocol DiskOperations: Sendable {
    /// Opens a file that is there, for reading and writing.
    func open(_ path: String) throws(DiskFailure) -> Int32
    /// Opens a file that is there, for reading alone: a backup may lie where nothing can be written.
    func openForReading(_ path: String) throws(DiskFailure) -> Int32
    /// Makes a file that was not there.
    func create(_ path: String) throws(DiskFailure) -> Int32
    func close(_ file: Int32)
    /// - Returns: bytes written, which may be fewer than there are.
    func write(_ file: Int32, _ parts: [UnsafeRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int
    /// - Returns: bytes read; 0 at the file's end.
    func read(_ file: Int32, into parts: [UnsafeMutableRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int
    /// A hint that these bytes will be synced soon.
    func startWriteback(_ file: Int32, offset: Int64, length: Int64)
    /// fdatasync.
    func sync(_ file: Int32) throws(DiskFailure)
    func syncDirectory(_ path: String) throws(DiskFailure)
    func size(_ file: Int32) throws(DiskFailure) -> FileExtent
    func punchHole(_ file: Int32, offset: Int64, length: Int64) throws(DiskFailure)
    func remove(_ path: String) throws(DiskFailure)
    func list(_ directory: String) throws(DiskFailure) -> [String]
    func makeDirectory(_ path: String) throws(DiskFailure)
    /// Bytes that this process may still write to the volume.
    func freeBytes(_ path: String) throws(DiskFailure) -> Int64
}

/// How far a file reaches, and how much room it takes.
package struct FileExtent: Equatable, Sendable {
    package var bytes: Int64
    package var allocatedBytes: Int64

    package init(bytes: Int64, allocatedBytes: Int64) {
        self.bytes = bytes
        self.allocatedBytes = allocatedBytes
    }
}

/// A call that the disk refused.
package struct DiskFailure: Error, Equatable, CustomStringConvertible {
    package var call: String
    package var code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(DiskFailure.words(for: code))" }
}
