import BothyContent
import BothyContract
import NIOCore
import Synchronization

/// Small files that go up together: read in one go, sent by one request, written down in one commit.
///
/// Each is a transfer of its own, and its machine decides as ever. But a runner of its own, with its letters and tasks, costs more than
/// the bytes of a small file do. So that is only for those that do not go the usual way, and for those of whom something is asked: they
/// leave at once, and wait for no other.
final class UploadCompany: Sendable {
    /// One of those that go.
    struct Member: Sendable {
        let entry: TransferQueue.Entry
        let transfer: UploadTransfer

        /// - Returns: nil for a download.
        init?(_ entry: TransferQueue.Entry) {
            guard case .upload(let transfer) = entry.record else { return nil }
            self.entry = entry
            self.transfer = transfer
        }

        var id: String { entry.id }

        /// As it is told of from now on.
        var begun: TransferSnapshot {
            var snapshot = entry.record.snapshot
            snapshot.state = .transferring
            return snapshot
        }
    }

    /// Why one has a runner of its own from then on.
    enum Departure: Sendable {
        case asked(TransferWish)
        /// The server refused it, or could not be reached, while its machine was like this.
        case refused(UploadMachine, TransferFailure)
        /// It is looked at from the beginning: a request that is made again is answered the same.
        case unusual

        var wish: TransferWish? { if case .asked(let wish) = self { wish } else { nil } }
    }

    enum End: Sendable {
        /// It is completed, and its record says so.
        case through(TransferEnd)
        case left(Departure)
    }

    private struct Ready: Sendable {
        var machine: UploadMachine
        var file: SmallUploads.WholeFile

        var id: String { machine.transfer.transferId }
    }

    private struct State {
        var left = Set<String>()
        var through = Set<String>()
    }

    private let services: TransferServices
    /// By the transfers' ids.
    private let state = Mutex(State())

    init(services: TransferServices) { self.services = services }

    /// - Returns: how each ended, in their order; of those that have left that says nothing.
    func run(_ transfers: [UploadTransfer]) async -> [End] {
        let disk = services.environment.disk
        let read = try? await services.smallReads.run { transfers.map { Self.ready($0, on: disk) } }
        let ready = read ?? transfers.map { _ in nil }
        let going = ready.compactMap(\.self)
        var answers = await services.smallUploads.send(going.map(\.file)) { !self.hasLeft(going[$0].id) }.makeIterator()
        var ends = ready.map { ready in
            ready.flatMap { ready in answers.next().map { end(of: ready, $0) } } ?? .left(.unusual)
        }
        await write(&ends)
        return ends
    }

    /// - Returns: nil for what does not go the usual way.
    private static func ready(_ transfer: UploadTransfer, on disk: any LocalDisk) -> Ready? {
        guard let (facts, bytes) = try? read(transfer.localPath, on: disk) else { return nil }
        var machine = UploadMachine(transfer)
        var actions = machine.handle(.begin)
        if actions == [.lookAtSource] { actions = machine.handle(.sourceLooked(facts)) }
        guard case .sendWhole(var request)? = actions.first, actions.count == 1,
            machine.transfer.source == SourcePin(facts)
        else { return nil }
        let hash = bytes.withUnsafeReadableBytes { SHA256Hasher.hash($0) }
        guard transfer.expectedHash == nil || transfer.expectedHash == hash else { return nil }
        request.fileHashSha256 = hash
        return (try? SmallUploads.WholeFile(request, bytes, hash)).map { Ready(machine: machine, file: $0) }
    }

    /// - Returns: nil for what changes meanwhile, or is not small.
    private static func read(_ path: String, on disk: any LocalDisk) throws -> (FileFacts, ByteBuffer)? {
        let file = try disk.openForReading(path)
        let facts = try file.facts()
        guard facts.kind == .file, facts.size <= UploadLimits.batchContent else { return nil }
        var bytes = ByteBuffer()
        let size = Int(facts.size)
        let count = try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { space in
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<size]), at: 0)
        }
        guard count == size, try file.facts() == facts else { return nil }
        return (facts, bytes)
    }

    private func end(of ready: Ready, _ answer: Result<UploadsRemoteSource.BatchAnswer, any Error>) -> End {
        switch answer {
        case .success(.stored(let stored)):
            var machine = ready.machine
            _ = machine.handle(.wholeSent(stored.file, ready.file.hash, status: stored.status))
            var transfer = machine.transfer
            guard transfer.state == .completed else { return .left(.unusual) }
            transfer.runner = nil
            transfer.updatedAt = services.clock.now()
            return .through(
                TransferEnd(record: .upload(transfer), bytesMoved: transfer.sentBytes, file: stored.whole))
        case .failure(let failure as TransferFailure): return .left(.refused(ready.machine, failure))
        case .success, .failure: return .left(.unusual)
        }
    }

    /// Who is through does not leave any more; who has left writes its own record.
    private func write(_ ends: inout [End]) async {
        let records = ends.compactMap { if case .through(let end) = $0 { end.record } else { nil } }
        let through = state.withLock { state in
            let through = records.filter { !state.left.contains($0.id) }
            state.through = Set(through.map(\.id))
            return through
        }
        do {
            try await services.store.save(through)
        } catch {
            // Of the runner that each has then, the first thing is no write: it is answered again, and says that it cannot be written.
            ends = ends.map { if case .through = $0 { .left(.unusual) } else { $0 } }
        }
    }

    // MARK: - Leaving

    /// One goes its own way from now on: nothing of it is written here any more.
    ///
    /// - Returns: false where it is through already.
    func leave(_ member: Member) -> Bool {
        let leaves = state.withLock { state in
            guard !state.through.contains(member.id) else { return false }
            state.left.insert(member.id)
            return true
        }
        if leaves { Task { [uploads = services.smallUploads] in await uploads.giveUp(member.transfer.requestId) } }
        return leaves
    }

    private func hasLeft(_ id: String) -> Bool { state.withLock { $0.left.contains(id) } }
}
