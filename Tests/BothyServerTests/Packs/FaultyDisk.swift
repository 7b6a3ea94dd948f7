import Foundation
import Synchronization

@testable import BothyServer

/// The real disk, but for one call that fails.
final class FaultyDisk: DiskOperations {
    struct Fault: Sendable {
        /// The how-manyth call that changes the disk, counted from 0.
        var call: Int
        var code: Int32
    }

    private struct State {
        var fault: Fault?
        var calls = [String]()
        /// A place in a file, as after a sector went bad.
        var unreadable: Int64?
        /// Bytes that are told as free; nil for what is.
        var free: Int64?
    }

    private let real = LocalDisk()
    private let state: Mutex<State>
    /// Every write that is longer arrives with one bit of this byte changed, counted from its last, and says that all is well.
    private let garbled: Int?
    private let hasHoles: Bool

    /// - Parameter hasHoles: false for a disk that knows no holes.
    init(fault: Fault?, garbled: Int? = nil, hasHoles: Bool = true) {
        state = Mutex(State(fault: fault))
        self.garbled = garbled
        self.hasHoles = hasHoles
    }

    /// From now on no read that reaches over this place of any file succeeds.
    func breakSector(at offset: Int64) { state.withLock { $0.unreadable = offset } }

    /// From now on the `calls`-th call that changes the disk fails, once.
    func fail(after calls: Int, code: Int32) {
        state.withLock { $0.fault = Fault(call: $0.calls.count + calls, code: code) }
    }

    /// The calls so far that a fault could have met, by name.
    var calls: [String] { state.withLock { $0.calls } }

    private func meet(_ call: String) throws(DiskFailure) {
        let code = state.withLock { state -> Int32? in
            state.calls.append(call)
            guard let fault = state.fault, fault.call == state.calls.count - 1 else { return nil }
            return fault.code
        }
        if let code { throw DiskFailure(call: call, code: code) }
    }

    func open(_ path: String) throws(DiskFailure) -> Int32 {
        try meet("open")
        return try real.open(path)
    }

    func openForReading(_ path: String) throws(DiskFailure) -> Int32 { try real.openForReading(path) }

    func create(_ path: String) throws(DiskFailure) -> Int32 {
        try meet("create")
        return try real.create(path)
    }

    func close(_ file: Int32) { real.close(file) }

    /// The bytes before a fault are written, as by a disk that fills up.
    func write(_ file: Int32, _ parts: [UnsafeRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        do throws(DiskFailure) {
            try meet("write")
        } catch {
            if let first = parts.first {
                _ = try real.write(file, [UnsafeRawBufferPointer(rebasing: first[..<(first.count / 2)])], at: offset)
            }
            throw error
        }
        let count = try real.write(file, parts, at: offset)
        if let garbled { try garble(file, parts, at: offset, count - 1 - garbled) }
        return count
    }

    /// Changes a bit of the byte at `place` of what was written.
    private func garble(
        _ file: Int32, _ parts: [UnsafeRawBufferPointer], at offset: Int64, _ place: Int
    ) throws(DiskFailure) {
        var start = 0
        for part in parts {
            if place >= start, place < start + part.count {
                _ = try withUnsafeBytes(of: part[place - start] ^ 1) { bytes throws(DiskFailure) in
                    try real.write(file, [bytes], at: offset + Int64(place))
                }
            }
            start += part.count
        }
    }

    func read(_ file: Int32, into parts: [UnsafeMutableRawBufferPointer], at offset: Int64) throws(DiskFailure) -> Int {
        let end = offset + Int64(parts.reduce(0) { $0 + $1.count })
        if let place = state.withLock({ $0.unreadable }), (offset..<end).contains(place) {
            throw DiskFailure(call: "read", code: EIO)
        }
        return try real.read(file, into: parts, at: offset)
    }

    func startWriteback(_ file: Int32, offset: Int64, length: Int64) {}

    func sync(_ file: Int32) throws(DiskFailure) {
        try meet("fdatasync")
        try real.sync(file)
    }

    func syncDirectory(_ path: String) throws(DiskFailure) {
        try meet("fsync directory")
        try real.syncDirectory(path)
    }

    func size(_ file: Int32) throws(DiskFailure) -> FileExtent { try real.size(file) }

    func punchHole(_ file: Int32, offset: Int64, length: Int64) throws(DiskFailure) {
        try meet("punch hole")
        guard hasHoles else { throw DiskFailure(call: "punch hole", code: EOPNOTSUPP) }
        try real.punchHole(file, offset: offset, length: length)
    }

    func remove(_ path: String) throws(DiskFailure) {
        try meet("unlink")
        try real.remove(path)
    }

    func list(_ directory: String) throws(DiskFailure) -> [String] { try real.list(directory) }

    func makeDirectory(_ path: String) throws(DiskFailure) {
        try meet("mkdir")
        try real.makeDirectory(path)
    }

    func freeBytes(_ path: String) throws(DiskFailure) -> Int64 {
        if let free = state.withLock({ $0.free }) { return free }
        return try real.freeBytes(path)
    }

    /// - Parameter bytes: nil for what is free.
    func tellFree(_ bytes: Int64?) { state.withLock { $0.free = bytes } }
}
