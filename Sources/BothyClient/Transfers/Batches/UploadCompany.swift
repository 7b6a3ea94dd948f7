import BothyContent
import BothyContract
import NIOCore
import Synchronization

/// Small files that go up together: read in one go, sent by one request, written down in one commit.
final class UploadCompany: TransferCompany {
    /// A class, since it is handed on and has a machine's whole record.
    private final class Ready: Sendable {
        let machine: UploadMachine
        let file: SmallUploads.WholeFile

        init(_ machine: UploadMachine, _ file: SmallUploads.WholeFile) {
            self.machine = machine
            self.file = file
        }

        var id: String { machine.transfer.transferId }
    }

    private let transfers: [UploadTransfer]
    private let services: TransferServices
    private let roll = CompanyRoll()

    init(_ transfers: [UploadTransfer], services: TransferServices) {
        self.transfers = transfers
        self.services = services
    }

    func run(_ tell: @Sendable ([(place: Int, end: CompanyEnd)]) async -> Void) async {
        let (disk, transfers) = (services.environment.disk, transfers)
        // What could not be read together goes alone, and is told of there.
        let read = try? await services.smallReads.run { transfers.map { Self.ready($0, on: disk) } }
        let ready = read ?? transfers.map { _ in nil }
        let going = ready.compactMap(\.self)
        var answers = await services.smallUploads.send(going.map(\.file), for: ObjectIdentifier(self)) {
            self.roll.hasLeft(going[$0].id)
        }.makeIterator()
        var ends = ready.map { ready in
            ready.flatMap { ready in answers.next().map { end(of: ready, $0) } } ?? .left(.unusual)
        }
        await write(&ends)
        await tell(ends.enumerated().map { (place: $0.offset, end: $0.element) })
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
        let hash = machine.transfer.knownHash ?? bytes.withUnsafeReadableBytes { SHA256Hasher.hash($0) }
        guard transfer.expectedHash == nil || transfer.expectedHash == hash else { return nil }
        request.fileHashSha256 = hash
        // What fits no request with others goes alone.
        return (try? SmallUploads.WholeFile(request, bytes, hash)).map { Ready(machine, $0) }
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

    private func end(
        of ready: Ready, _ answer: Result<UploadsRemoteSource.BatchAnswer, any Error>
    ) -> CompanyEnd {
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
        case .failure(let failure as TransferFailure): return .left(.upload(ready.machine, .wholeRefused(failure)))
        case .success, .failure: return .left(.unusual)
        }
    }

    /// One that has left writes its own record.
    private func write(_ ends: inout [CompanyEnd]) async {
        let records = ends.compactMap { if case .through(let end) = $0 { end.record } else { nil } }
        do {
            try await services.store.save(records.filter { roll.keep($0.id) })
        } catch {
            // A runner of its own asks again for each, which is answered the same, and tries to write that.
            ends = ends.map { if case .through = $0 { .left(.unusual) } else { $0 } }
        }
    }

    func leave(_ id: String) -> Bool {
        guard roll.leave(id) else { return false }
        if let transfer = transfers.first(where: { $0.transferId == id }) {
            let company = ObjectIdentifier(self)
            Task { [uploads = services.smallUploads] in await uploads.giveUp(transfer.requestId, of: company) }
        }
        return true
    }
}
