import BothyContract

/// The disk as transfers use it. A real one and one that fails on purpose stand behind it.
///
/// Every call may block its thread. Every error is a `ClientFailure` that names the path.
package protocol LocalDisk: Sendable {
    func facts(of path: String) throws(ClientFailure) -> FileFacts?
    /// Opens an existing file to be read, never through a name that is a device or a pipe.
    func openForReading(_ path: String) throws(ClientFailure) -> any LocalFile
    /// Opens a file to be written and read, creating it with mode 0600 where it is missing.
    func openForWriting(_ path: String) throws(ClientFailure) -> any LocalFile
    /// Atomic; replaces a file at `to` only where `replacing`.
    func rename(_ from: String, to: String, replacing: Bool) throws(ClientFailure)
    func syncFolder(_ path: String) throws(ClientFailure)
    /// Removing what is not there is fine.
    func remove(_ path: String) throws(ClientFailure)
    /// Bytes that a person without privileges may still write.
    func freeBytes(at path: String) throws(ClientFailure) -> Int64
    func setMode(_ path: String, executable: Bool) throws(ClientFailure)
    func setModified(_ path: String, to time: Timestamp) throws(ClientFailure)
}

/// An open file. Reads and writes name their offset, so that several threads may use one.
package protocol LocalFile: AnyObject, Sendable {
    var path: String { get }
    func facts() throws(ClientFailure) -> FileFacts
    /// When the file last changed in any way, its name and its mode too: nothing that writes can put this back.
    func changedAt() throws(ClientFailure) -> Timestamp
    /// Bytes of the disk that it takes: fewer than its size where it has holes.
    func allocatedBytes() throws(ClientFailure) -> Int64
    /// - Returns: the bytes read, 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Int
    /// Writes all of it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure)
    func truncate(to size: Int64) throws(ClientFailure)
    func sync() throws(ClientFailure)
}

extension LocalFile {
    package func allocatedBytes() throws(ClientFailure) -> Int64 { try facts().size }
}

/// What tells one state of a file from another.
package struct FileFacts: Equatable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case file, folder, other
    }

    package var kind: Kind
    /// Bytes.
    package var size: Int64
    package var modifiedAt: Timestamp
    package var inode: UInt64
    package var device: UInt64
    package var executable: Bool

    package init(
        kind: Kind, size: Int64, modifiedAt: Timestamp, inode: UInt64, device: UInt64, executable: Bool
    ) {
        self.kind = kind
        self.size = size
        self.modifiedAt = modifiedAt
        self.inode = inode
        self.device = device
        self.executable = executable
    }
}
