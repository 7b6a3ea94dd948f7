import BothyClient
import BothyContract
import Foundation
import Synchronization

/// The machine's disk, of which one call of each kind that is named fails.
final class FaultyDisk: LocalDisk {
    enum Call: String, CaseIterable, Sendable {
        case openForReading, openForWriting, read, write, truncate, sync, rename, syncFolder, freeBytes, setMode,
            setModified
    }

    private struct Failing {
        /// Calls of that kind that go well before.
        var after: Int
        var code: Int32
    }

    private struct State {
        var failing = [Call: Failing]()
        var free: Int64?
        var unsynced: Int64 = 0
        var folderSyncs = 0
        var folderGate: DispatchSemaphore?
        var slowness: UInt32 = 0
        var ends = [String: Int64]()
    }

    private let real = SystemDisk()
    private let state = Mutex(State())

    func fail(_ call: Call, after: Int = 0, code: Int32 = EIO) {
        state.withLock { $0.failing[call] = Failing(after: after, code: code) }
    }

    /// Microseconds that a sync takes before it fails.
    var slowness: UInt32 {
        get { state.withLock { $0.slowness } }
        set { state.withLock { $0.slowness = newValue } }
    }

    /// From now on nothing can be read of a file behind `end`, whatever its size is.
    func cut(_ path: String, at end: Int64) { state.withLock { $0.ends[path] = end } }

    fileprivate func end(of path: String) -> Int64 { state.withLock { $0.ends[path] ?? .max } }

    func setFree(_ bytes: Int64?) { state.withLock { $0.free = bytes } }

    /// Bytes of partial files that were written since their last sync.
    var unsynced: Int64 { state.withLock { $0.unsynced } }

    /// Syncs of folders that have begun.
    var folderSyncs: Int { state.withLock { $0.folderSyncs } }

    /// Each sync of a folder from now on takes until the gate is signalled.
    func holdFolderSyncs(at gate: DispatchSemaphore) { state.withLock { $0.folderGate = gate } }

    fileprivate func wrote(_ bytes: Int, to path: String) {
        guard path.hasSuffix(".bothy-part") else { return }
        state.withLock { $0.unsynced += Int64(bytes) }
    }

    fileprivate func synced(_ bytes: Int64, of path: String) {
        guard path.hasSuffix(".bothy-part") else { return }
        state.withLock { $0.unsynced -= bytes }
    }

    /// Whether every failure came to pass.
    var happened: Bool { state.withLock { $0.failing.isEmpty } }

    fileprivate func pass(_ call: Call, _ path: String) throws(ClientFailure) {
        // The device's own secrets are written through the same disk; only transfers are to fail.
        guard !path.contains("/secrets") else { return }
        let code: Int32? = state.withLock { state in
            guard let failing = state.failing[call] else { return nil }
            if failing.after > 0 {
                state.failing[call]?.after -= 1
                return nil
            }
            state.failing[call] = nil
            return failing.code
        }
        if let code { throw ClientFailure(errno: code, path: path, doing: "be used") }
    }

    func facts(of path: String) throws(ClientFailure) -> FileFacts? { try real.facts(of: path) }

    func openForReading(_ path: String) throws(ClientFailure) -> any LocalFile {
        try pass(.openForReading, path)
        return FaultyFile(try real.openForReading(path), self)
    }

    func openForWriting(_ path: String) throws(ClientFailure) -> any LocalFile {
        try pass(.openForWriting, path)
        return FaultyFile(try real.openForWriting(path), self)
    }

    func rename(_ from: String, to: String, replacing: Bool) throws(ClientFailure) {
        try pass(.rename, to)
        try real.rename(from, to: to, replacing: replacing)
    }

    func syncFolder(_ path: String) throws(ClientFailure) {
        let gate = state.withLock { state in
            state.folderSyncs += 1
            return state.folderGate
        }
        gate?.wait()
        try pass(.syncFolder, path)
        try real.syncFolder(path)
    }

    func remove(_ path: String) throws(ClientFailure) { try real.remove(path) }

    func freeBytes(at path: String) throws(ClientFailure) -> Int64 {
        try pass(.freeBytes, path)
        if let free = state.withLock({ $0.free }) { return free }
        return try real.freeBytes(at: path)
    }

    func setMode(_ path: String, executable: Bool) throws(ClientFailure) {
        try pass(.setMode, path)
        try real.setMode(path, executable: executable)
    }

    func setModified(_ path: String, to time: Timestamp) throws(ClientFailure) {
        try pass(.setModified, path)
        try real.setModified(path, to: time)
    }
}

private final class FaultyFile: LocalFile {
    private let real: any LocalFile
    private let disk: FaultyDisk

    init(_ real: any LocalFile, _ disk: FaultyDisk) {
        self.real = real
        self.disk = disk
    }

    var path: String { real.path }
    func facts() throws(ClientFailure) -> FileFacts { try real.facts() }
    func changedAt() throws(ClientFailure) -> Timestamp { try real.changedAt() }
    func allocatedBytes() throws(ClientFailure) -> Int64 { try real.allocatedBytes() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Int {
        try disk.pass(.read, path)
        let count = try real.read(into: buffer, at: offset)
        return Int(max(0, min(Int64(count), disk.end(of: path) - offset)))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure) {
        try disk.pass(.write, path)
        try real.write(bytes, at: offset)
        disk.wrote(bytes.count, to: path)
    }

    func truncate(to size: Int64) throws(ClientFailure) {
        try disk.pass(.truncate, path)
        try real.truncate(to: size)
    }

    func sync() throws(ClientFailure) {
        do throws(ClientFailure) {
            try disk.pass(.sync, path)
        } catch {
            // As disks do that are about to fail: meanwhile everything else goes on.
            usleep(disk.slowness)
            throw error
        }
        let before = disk.unsynced
        try real.sync()
        disk.synced(before, of: path)
    }
}
