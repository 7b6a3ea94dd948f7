/// Copies packs from one folder to another. Blocks.
///
/// Packs only grow, so a copy resumes where the last one was complete; that place is remembered in the copy, in
/// `copied.list`, a line for each pack: its number, and the bytes before which nothing was still being written.
///
/// What the copy has behind that place belongs to the backup before this one, which stays good until this one is whole:
/// there only what lives is written. The source may hold zeros where that backup still has a block.
struct PackCopier {
    private static let listName = "copied.list"
    private static let step = 1 << 20

    let disk: any DiskOperations
    let target: String

    func path(_ pack: Int64) -> String { target + "/" + PackFormat.fileName(pack) }

    /// What the target has of each pack.
    func complete() throws -> [Int64: Int64] {
        guard try disk.list(target).contains(Self.listName) else { return [:] }
        let file = PackFile(pack: 0, path: listPath, descriptor: try disk.open(listPath), disk: disk)
        var bytes = [UInt8](repeating: 0, count: Int(try file.size().bytes))
        _ = try bytes.withUnsafeMutableBytes { try file.read(into: [$0], at: 0) }
        var complete = [Int64: Int64]()
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 2 else { continue }
            complete[numbers[0]] = numbers[1]
        }
        return complete
    }

    /// The packs of which the target has bytes that may have changed since.
    func unsettled() throws -> [Int64] {
        let complete = try complete()
        return try disk.list(target).compactMap(PackFormat.pack(ofFileName:)).filter { complete[$0] != .max }
    }

    /// Call once the packs are synced: what the list says is believed by the next copy.
    func remember(_ complete: [Int64: Int64]) throws {
        let text = complete.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
        try DurableFile.write(text, to: listPath)
    }

    private var listPath: String { target + "/" + Self.listName }

    /// Copies a pack from byte `start`, or from where the target's file ends, and syncs it.
    ///
    /// - Parameter living: of what the target's file has from `start` on, what is written again.
    /// - Returns: bytes written, without the holes.
    func copy(_ source: PackFile, from start: Int64, living: [Range<Int64>] = []) throws -> Int64 {
        let end = try source.size().bytes
        let isThere = try disk.list(target).contains(PackFormat.fileName(source.pack))
        let path = path(source.pack)
        let copy = PackFile(
            pack: source.pack, path: path, descriptor: isThere ? try disk.open(path) : try disk.create(path), disk: disk
        )
        let there = min(try copy.size().bytes, end)
        var written: Int64 = 0
        for room in living {
            let room = room.clamped(to: min(start, there)..<there)
            written += try self.copy(room, of: source, to: copy)
        }
        written += try self.copy(there..<end, of: source, to: copy)
        try copy.sync()
        return written
    }

    /// - Returns: bytes written. Room that was given back stays a hole; the last piece is written, so that the file reaches as
    ///   far.
    private func copy(_ room: Range<Int64>, of source: PackFile, to copy: PackFile) throws -> Int64 {
        var written: Int64 = 0
        var piece = [UInt8](repeating: 0, count: Int(min(Int64(Self.step), Int64(room.count))))
        for offset in stride(from: room.lowerBound, to: room.upperBound, by: Self.step) {
            let length = Int(min(Int64(Self.step), room.upperBound - offset))
            let isWhole = try piece.withUnsafeMutableBytes { bytes in
                try source.read(into: [UnsafeMutableRawBufferPointer(rebasing: bytes[..<length])], at: offset)
            }
            guard isWhole else { throw PackError.failed("pack \(source.pack) became shorter while it was copied") }
            if offset + Int64(length) == room.upperBound || piece[..<length].contains(where: { $0 != 0 }) {
                try copy.write([.init(bytes: piece[..<length])], at: offset)
                written += Int64(length)
            }
        }
        return written
    }
}
