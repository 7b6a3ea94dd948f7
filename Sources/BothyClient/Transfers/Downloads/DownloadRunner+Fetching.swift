import BothyContract
import NIOCore

/// How bytes come: those of a small file along with others, those of any other range by range.
extension DownloadRunner {
    /// Of a revision that comes along with others its bytes are here at once, and wait for their place.
    func lookUp(_ fileId: String, _ revisionId: String?) {
        // Without an address it is of use to a company alone.
        let (known, shared) = (known.flatMap { $0.hasAddress ? $0 : nil }, shared)
        self.known = nil
        begin { [weak self, source = services.content] in
            if let known {
                await self?.found(known)
                return .lookedUp(known, comesWhole: shared != nil)
            }
            if let revisionId, let brought = try await shared?.fetch(revisionId) {
                await self?.bring(brought)
                return .lookedUp(brought.content, comesWhole: true)
            }
            await self?.goAlone()
            let content = try await source.lookUp(fileId, revisionId: revisionId)
            await self?.found(content)
            return .lookedUp(content)
        } orElse: {
            .lookUpRefused($0)
        }
    }

    private func found(_ content: RemoteContent) { self.content = content }

    private func bring(_ brought: SmallDownloads.Brought) {
        self.brought = brought
        content = brought.content
        goAlone()
    }

    /// What did not come along with others, or was not what it should be, is fetched by itself from here on.
    private func goAlone() {
        shared?.seat.leave()
        shared = nil
    }

    /// What does not come, or is not as it should be, goes the longer way.
    func receive() {
        let (transfer, hasAddress) = (machine.transfer, content?.downloadUrl != nil)
        guard let grid = transfer.grid, let hash = transfer.expectedHash,
            let company = company(for: 0..<grid.size, of: grid)
        else { return send(.notReceived(hasAddress: hasAddress)) }
        begin { [partial, moved, saver] in
            let brought: SmallDownloads.Brought?
            do {
                brought = try await company()
            } catch let failure as TransferFailure {
                return .lookUpRefused(failure)
            }
            guard let brought else { return .notReceived(hasAddress: hasAddress) }
            moved.add(brought.bytes.readableBytes)
            // A process that finds it in its place knows by the record that it is this.
            if !transfer.replacing || transfer.replaces != nil { await saver.written() }
            let isWhole = try await partial.receive(
                brought.bytes, as: hash, executable: transfer.executable, modifiedAt: transfer.modifiedAt)
            return isWhole ? .received(carried: brought.carried ?? grid.size) : .receivedCorrupted
        } orElse: {
            .diskFailed($0)
        }
    }

    func fetch(_ chunks: ChunkRun) {
        guard let file, let grid = machine.transfer.grid else {
            preconditionFailure("what is fetched was prepared")
        }
        let range = grid.offset(of: chunks.first)..<grid.offset(of: chunks.last + 1)
        let (url, etag, limit, moved) = (content?.downloadUrl, machine.transfer.etag, services.receiving, moved)
        let isPlain = machine.run.isPlain
        let company = company(for: range, of: grid)
        tasks.begin { [weak self, source = services.content] tell in
            let sink = RangeSink(
                file: file, range: range, grid: grid, etag: etag, limit: limit,
                arrived: { tell(.chunkArrived($0, carried: $1)) }, moved: { moved.add($0) })
            return await Self.event { [weak self] in
                if let brought = try await company?(), brought.bytes.readableBytes == range.count {
                    try sink.put(brought.bytes, carried: brought.carried)
                } else {
                    await self?.goAlone()
                    guard let url else { throw await self?.nowhere ?? CancellationError() }
                    try await source.fetch(url, range: range, etag: etag, isPlain: isPlain, into: sink)
                }
                try sink.checkComplete()
                return .rangeDone(chunks)
            } orElse: {
                // What the disk refuses is not the server's fault.
                [.diskFull, .diskFailed, .permissionDenied].contains($0.code)
                    ? .diskFailed($0) : .rangeRefused(chunks, $0, taken: sink.offset - range.lowerBound)
            }
        }
    }

    private var nowhere: any Error {
        TransferFailure(.answerInvalid, "The server names no address for “\(machine.transfer.name)”.")
    }

    /// Where the whole file comes from along with others, or came from already; nil where it has to be fetched by itself.
    private func company(
        for range: Range<Int64>, of grid: ChunkGrid
    ) -> (@Sendable () async throws -> SmallDownloads.Brought?)? {
        guard range == 0..<grid.size, let revisionId = machine.transfer.revisionId else { return nil }
        if let brought {
            self.brought = nil
            return { brought.content.revisionId == revisionId ? brought : nil }
        }
        guard let shared else { return nil }
        return { [weak self] in
            let brought = try await shared.fetch(revisionId)
            await self?.goAlone()
            return brought
        }
    }
}
