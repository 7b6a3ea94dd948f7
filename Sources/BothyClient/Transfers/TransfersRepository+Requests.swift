import BothyContract

/// Transfers that somebody else keeps account of, under ids of their own, and waits for.
extension TransfersRepository {
    /// Sends a file under an id from outside, or goes on with what was begun under it, and waits for the end.
    ///
    /// - Returns: the transfer, completed (one that has completed before is told again), and the file as the server said that
    ///   it is; nil where it did not say all of it to this process.
    /// - Throws: what it ended with; `offline` as soon as there is no way to the server, `transferPaused`, `transferCanceled`; `CancellationError` once
    ///   nothing of it runs here any more. What was sent stays sent, and the next call goes on from there.
    package func upload(
        _ order: UploadOrder, as id: String
    ) async throws -> (end: TransferSnapshot, file: File?) {
        awaited.insert(id)
        defer {
            awaited.remove(id)
            answers[id] = nil
        }
        if running[id] == nil, ended[id] == nil {
            let claim = try await store.claim(order, as: id, by: identity, now: services.clock.now())
            if claim.record.state == .completed { return (claim.record.snapshot, nil) }
            begin([(claim, size(of: order, claim.record), nil)])
        }
        let end = try await end(of: id, in: observe([id]))
        return (end, answers[end.id])
    }

    private func size(of order: UploadOrder, _ record: TransferRecord) -> Int64? {
        record.snapshot.bytesTotal ?? (try? services.environment.disk.facts(of: order.localPath))?.size
    }

    /// Fetches a file and waits for the end. A call with the same order goes on where the last one stopped.
    package func downloaded(_ order: DownloadOrder) async throws -> TransferSnapshot {
        // Several that are asked for side by side are claimed one after the other, and fetched together.
        let coming = order.isShared ? services.smallDownloads.expect() : nil
        defer { coming?.leave() }
        guard let id = try await download([order]).first else { throw TransferStore.unknown(order.name) }
        // It has a seat of its own once it is begun.
        await starting?.value
        coming?.leave()
        return try await end(of: id, in: observe([id]))
    }

    /// The ids under which an upload may have been sent to the server; nil for what is no upload of this device.
    package func requests(of id: String) async throws -> [String]? {
        guard case .upload(let transfer)? = try await store.find(id) else { return nil }
        return (0...transfer.generation).map(transfer.requestId)
    }

    /// Ends an upload that is not wanted any more, where it has not ended.
    package func giveUp(_ id: String) async throws {
        guard let record = try await store.find(id), !record.state.isOver else { return }
        try await cancel(id)
    }

    /// The server has made it, and the answer never came here: nothing is left to be sent.
    ///
    /// - Parameter file: what it has become; nil where the server has let go of that since.
    package func conclude(_ id: String, as file: File?) async throws {
        await stopHere(id)
        _ = try await store.update(id) { record in
            guard case .upload(var transfer) = record, !transfer.state.isOver else { return }
            transfer.complete(bytes: transfer.fileSize ?? 0)
            transfer.remoteFileId = file?.id ?? transfer.remoteFileId
            transfer.runner = nil
            record = .upload(transfer)
        }
    }

    /// Ends the downloads that have not ended and whose destinations begin so, but for those to `wanted`.
    package func giveUpDownloads(to beginning: String, but wanted: Set<String>) async throws {
        let open = try await store.openDownloads(to: beginning)
        for (id, destination) in open where !wanted.contains(destination) { try await cancel(id) }
    }

    /// Makes an upload that has completed one that has yet to be sent, where the server has lost it since.
    package func sendAgain(_ id: String) async throws {
        _ = try await store.update(id) { record in
            guard case .upload(var transfer) = record, transfer.state == .completed else { return }
            transfer.forgetProgress()
            transfer.state = .queued
            transfer.runner = nil
            record = .upload(transfer)
        }
    }

    package func isCompleted(_ id: String) async throws -> Bool { try await store.find(id)?.state == .completed }

    /// A person's pause is a wish like any other: whoever waits is told that it rests.
    private func end(of id: String, in stream: AsyncStream<TransferSnapshot>) async throws -> TransferSnapshot {
        var last: TransferSnapshot?
        var away: ClientFailure?
        for await snapshot in stream {
            last = snapshot
            guard snapshot.state == .paused(.offline) else { continue }
            away = snapshot.failure
            pass(.stop, to: snapshot.id)
        }
        // A stream ends early when the one who reads it is cancelled.
        if Task.isCancelled {
            let stopping = last?.id ?? id
            // In a task that is not cancelled: what is stopped is written down.
            await Task { await stopHere(stopping) }.value
            throw CancellationError()
        }
        guard let last else { throw TransferStore.unknown(id) }
        switch last.state {
        case .completed: return last
        case .canceled: throw ClientFailure(.transferCanceled, "The transfer of “\(last.name)” was canceled.")
        case .paused(.user): throw ClientFailure(.transferPaused, "The transfer of “\(last.name)” was paused.")
        case .paused(.signInNeeded):
            throw last.failure ?? ClientFailure(.signInNeeded, "The session at the server has ended.")
        default:
            throw last.failure ?? away ?? ClientFailure(.offline, "The transfer of “\(last.name)” was stopped.")
        }
    }
}
