import Foundation
import Synchronization

@testable import BothyServer

/// A disk in memory that, when its power is cut, forgets what was never synced: of each file it keeps what the last
/// fdatasync covered and, page by page as the dice fall, some of what came after; a file whose folder was not synced
/// may be gone.
final class ForgetfulDisk: DiskOperations {
    private static let page = 4096

    private struct File {
        var bytes = [UInt8]()
        var synced = [UInt8]()
        var isInSyncedFolder = false
    }

    private struct State {
        var files = [String: File]()
        var open = [Int32: String]()
        var nextDescriptor: Int32 = 1000
        /// Calls that it still answers; nil for all.
        var life: Int?
    }

    private let state = Mutex(State())
    /// Whether fdatasync does anything; a planted fault for the suite itself.
    private let syncs: Bool

    init(syncs: Bool = true) { self.syncs = syncs }

    /// After so many more calls that change it, it answers none: the power is about to be cut there.
    func die(afterCalls calls: Int) { state.withLock { $0.life = calls } }

    private func live() throws(DiskFailure) {
        let isDead = state.withLock { state in
            defer { state.life = state.life.map { $0 - 1 } }
            return state.life.map { $0 <= 0 } ?? false
        }
        if isDead { throw DiskFailure(call: "power", code: EIO) }
    }

    /// Cuts the power, and gives what the next start finds.
    func afterPowerCut(_ dice: inout some RandomNumberGenerator) -> ForgetfulDisk {
        let files = state.withLock { $0.files }
        let next = ForgetfulDisk(syncs: syncs)
        var kept = [String: File]()
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            guard file.isInSyncedFolder || Bool.random(using: &dice) else { continue }
            var bytes = file.synced
            // How far the file reaches is a matter of luck, too.
            let reach = Int.random(in: min(file.synced.count, file.bytes.count)...file.bytes.count, using: &dice)
            if bytes.count < reach { bytes += [UInt8](repeating: 0, count: reach - bytes.count) }
            for start in stride(from: 0, to: bytes.count, by: Self.page) where Bool.random(using: &dice) {
                let end = min(start + Self.page, bytes.count, file.bytes.count)
                if start < end { bytes.replaceSubrange(start..<end, with: file.bytes[start..<end]) }
            }
            kept[path] = File(bytes: bytes, synced: bytes, isInSyncedFolder: true)
        }
        let survivors = kept
        next.state.withLock { $0.files = survivors }
        return next
    }

    private func withFile<Value: Sendable>(
        _ file: Int32, _ body: (inout File) -> Value
    ) throws(DiskFailure) -> Value {
        let value = state.withLock { state -> Value? in
            guard let path = state.open[file] else { return nil }
            return body(&state.files[path, default: File()])
        }
        guard let value else { throw DiskFailure(call: "descriptor", code: EBADF) }
        return value
    }

    func open(_ path: String) throws(DiskFailure) -> Int32 {
        let descriptor = state.withLock { state -> Int32? in
            guard state.files[path] != nil else { return nil }
            state.nextDescriptor += 1
            state.open[state.nextDescriptor] = path
            return state.nextDescriptor
        }
        guard let descriptor else { throw DiskFailure(call: "open", code: ENOENT) }
        return descriptor
    }

    func openForReading(_ path: String) throws(DiskFailure) -> Int32 { try open(path) }

    func create(_ path: String) throws(DiskFailure) -> Int32 {
        try live()
        let isNew = state.withLock { state in
            guard state.files[path] == nil else { return false }
            state.files[path] = File()
            return true
        }
        guard isNew else { throw DiskFailure(call: "create", code: EEXIST) }
        return try open(path)
    }

    func close(_ file: Int32) { state.withLock { $0.open[file] = nil } }

    func write(_ file: Int32, _ parts: [UnsafeRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        try live()
        let bytes = parts.flatMap { Array($0) }
        // Short now and then, as POSIX allows.
        let count = bytes.count > 100_000 ? bytes.count / 2 : bytes.count
        return try withFile(file) { file in
            let end = Int(offset) + count
            if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
            file.bytes.replaceSubrange(Int(offset)..<end, with: bytes[..<count])
            return count
        }
    }

    func read(_ file: Int32, into parts: [UnsafeMutableRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        let length = parts.reduce(0) { $0 + $1.count }
        let bytes = try withFile(file) { file in
            Array(file.bytes.dropFirst(Int(offset)).prefix(length))
        }
        var rest = bytes[...]
        for part in parts {
            part.copyBytes(from: rest.prefix(part.count))
            rest = rest.dropFirst(part.count)
        }
        return bytes.count
    }

    func startWriteback(_ file: Int32, offset: Int64, length: Int64) {}

    func sync(_ file: Int32) throws(DiskFailure) {
        try live()
        let syncs = syncs
        try withFile(file) { if syncs { $0.synced = $0.bytes } }
    }

    func syncDirectory(_ path: String) throws(DiskFailure) {
        try live()
        state.withLock { state in
            for name in state.files.keys where name.hasPrefix(path + "/") { state.files[name]?.isInSyncedFolder = true }
        }
    }

    func size(_ file: Int32) throws(DiskFailure) -> FileExtent {
        try withFile(file) { FileExtent(bytes: Int64($0.bytes.count), allocatedBytes: Int64($0.bytes.count)) }
    }

    func punchHole(_ file: Int32, offset: Int64, length: Int64) throws(DiskFailure) {
        try live()
        try withFile(file) { file in
            let range = Int(offset)..<Int(offset + length)
            file.bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
    }

    func remove(_ path: String) throws(DiskFailure) {
        try live()
        state.withLock { $0.files[path] = nil }
    }

    func list(_ directory: String) throws(DiskFailure) -> [String] {
        state.withLock { state in
            state.files.keys.filter { $0.hasPrefix(directory + "/") }.map { String($0.dropFirst(directory.count + 1)) }
        }
    }

    func makeDirectory(_ path: String) throws(DiskFailure) {}
    func freeBytes(_ path: String) throws(DiskFailure) -> Int64 { 1 << 40 }
}
