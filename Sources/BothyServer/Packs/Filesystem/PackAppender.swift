import NIOCore
import Synchronization

/// Hands out room at the end of the newest pack, and begins a new pack when that one is full.
///
/// Its calls block, and belong on the store's threads. The lock is held while a new pack is made: everyone needs it
/// then.
final class PackAppender: Sendable {
    /// A pack that reached it takes no more. Small enough to be copied, or given back, in one go.
    static let maximumPackBytes: Int64 = 512 << 20

    private struct State {
        var file: PackFile?
        /// Where the next record begins, or the number of the pack that is made next.
        var end: ReclaimMark
        /// The highest number of which there is a file.
        var newest: Int64
        var dirty = [Int64: PackFile]()
    }

    let ledger: ExtentLedger
    private let folder: String
    private let disk: any DiskOperations
    private let packs: OpenPacks
    private let maximumPackBytes: Int64
    private let state: Mutex<State>

    /// Goes on in the newest pack, behind everything that is there: what a crash left torn is never written again.
    ///
    /// - Parameter newestKnown: the highest number that a block is said to lie in. Where its file is lost, a newer one is
    ///   begun at once, so that no number is ever given again.
    init(
        folder: String, disk: any DiskOperations, packs: OpenPacks, ledger: ExtentLedger, maximumPackBytes: Int64,
        newestKnown: Int64
    ) throws(DiskFailure) {
        self.folder = folder
        self.disk = disk
        self.packs = packs
        self.ledger = ledger
        self.maximumPackBytes = maximumPackBytes
        let newest = try disk.list(folder).compactMap(PackFormat.pack(ofFileName:)).max() ?? 0
        var state = State(file: nil, end: ReclaimMark(pack: max(newest, newestKnown) + 1, offset: 0), newest: newest)
        if newest > 0, newest >= newestKnown {
            let file = try packs.file(newest)
            let bytes = try file.size().bytes
            if bytes >= Int64(PackFormat.headerBytes), bytes < maximumPackBytes {
                state = State(file: file, end: ReclaimMark(pack: newest, offset: bytes), newest: newest)
            }
        }
        self.state = Mutex(state)
        if newest < newestKnown { try beginPack() }
    }

    private func beginPack() throws(DiskFailure) {
        let outcome = state.withLock { state -> Result<PackFile, DiskFailure> in
            do throws(DiskFailure) {
                return .success(try beginPack(&state))
            } catch {
                return .failure(error)
            }
        }
        _ = try outcome.get()
    }

    /// Everything written so far lies before.
    var end: ReclaimMark { state.withLock { $0.end } }

    /// Room for a record of `bytes`.
    func reserve(_ bytes: Int64) throws(DiskFailure) -> Extent {
        let outcome = state.withLock { state -> Result<Extent, DiskFailure> in
            do throws(DiskFailure) {
                if state.end.offset > Int64(PackFormat.headerBytes), state.end.offset + bytes > maximumPackBytes {
                    state.file = nil
                    state.end = ReclaimMark(pack: state.end.pack + 1, offset: 0)
                }
                let file: PackFile
                if let open = state.file { file = open } else { file = try beginPack(&state) }
                let place = Extent.Place(pack: file.pack, start: state.end.offset, bytes: bytes)
                state.end.offset += bytes
                return .success(Extent(file: file, place: place, ledger: ledger))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func beginPack(_ state: inout State) throws(DiskFailure) -> PackFile {
        let pack = state.end.pack
        let path = packs.path(pack)
        let file = PackFile(pack: pack, path: path, descriptor: try disk.create(path), disk: disk)
        do throws(DiskFailure) {
            try file.write([ByteBuffer(bytes: PackFormat.packHeader(pack))], at: 0)
            try disk.syncDirectory(folder)
        } catch {
            // Nothing is in it. Where even this fails an empty pack stays behind, and its number is not used again.
            do { try disk.remove(path) } catch { state.end = ReclaimMark(pack: pack + 1, offset: 0) }
            throw error
        }
        packs.keep(file)
        state.file = file
        state.newest = pack
        state.end = ReclaimMark(pack: pack, offset: Int64(PackFormat.headerBytes))
        state.dirty[pack] = file
        return file
    }

    /// Something was written to it that no sync has covered.
    func markDirty(_ file: PackFile) { state.withLock { $0.dirty[file.pack] = file } }

    func takeDirty() -> [PackFile] {
        state.withLock { state in
            defer { state.dirty = [:] }
            return Array(state.dirty.values)
        }
    }

    /// Whether records may still be added to this pack, or its file is what keeps its number from being given again.
    func isNewest(_ pack: Int64) -> Bool { state.withLock { $0.newest <= pack } }
}
