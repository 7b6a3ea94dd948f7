import BothyContract

/// Transfers that somebody else keeps account of, under ids of their own, and waits for.
extension TransfersRepository {
    /// An upload under an id from outside.
    package struct KeptOrder: Sendable {
        package var order: UploadOrder
        package var id: String

        package init(_ order: UploadOrder, as id: String) {
            self.order = order
            self.id = id
        }
    }

    /// How such an upload has ended.
    package struct KeptEnd: Sendable {
        /// Completed.
        package var end: TransferSnapshot
        /// The file as the server said that it is; nil where it did not say all of it to this process.
        package var file: File?
        /// Whether it had completed before it was asked for.
        package var isOld = false
    }

    /// Sends a file under an id from outside, or continues what was begun under it, and waits for the end.
    ///
    /// - Throws: what it ended with; `offline` as soon as there is no way to the server, `transferPaused`, `transferCanceled`; `CancellationError` once
    ///   nothing of it runs here any more. What was sent stays sent, and the next call resumes from there.
    package func upload(_ order: UploadOrder, as id: String) async throws -> KeptEnd {
        try await upload([KeptOrder(order, as: id)])[0].get()
    }

    /// Sends files that are begun together, written down by one commit, and waits for the end of each.
    ///
    /// - Returns: what became of each, in their order; what one ended with is as `upload(_:as:)` would throw it.
    /// - Throws: `CancellationError` once nothing of any runs here any more, and what kept all of them from being begun.
    package func upload(_ orders: [KeptOrder]) async throws -> [Result<KeptEnd, any Error>] {
        let ids = orders.map(\.id)
        awaited.formUnion(ids)
        defer {
            awaited.subtract(ids)
            for id in ids { answers[id] = nil }
        }
        var old = [String: TransferSnapshot]()
        let unbegun = orders.filter { running[$0.id] == nil && ended[$0.id] == nil }
        if !unbegun.isEmpty {
            let claims = try await store.claim(unbegun, by: identity, now: services.clock.now())
            var claimed = [(TransferStore.Claim, size: Int64?, known: RemoteContent?)]()
            for (claim, kept) in zip(claims, unbegun) {
                if claim.record.state == .completed {
                    old[kept.id] = claim.record.snapshot
                } else if claim.record.state != .paused(.user) {
                    claimed.append((claim, size(of: kept.order, claim.record), nil))
                }
            }
            begin(claimed)
        }
        let going = ids.filter { old[$0] == nil }
        let ends = Dictionary(zip(going, try await ends(of: going)), uniquingKeysWith: { first, _ in first })
        return ids.map { id in
            if let end = old[id] { return .success(KeptEnd(end: end, isOld: true)) }
            guard let end = ends[id] else { return .failure(TransferStore.unknown(id)) }
            return end.map { KeptEnd(end: $0, file: answers[$0.id]) }
        }
    }

    private func size(of order: UploadOrder, _ record: TransferRecord) -> Int64? {
        // Only its turn in the queue depends on it: what cannot be looked at is told when it is sent.
        record.snapshot.bytesTotal ?? (try? services.environment.disk.facts(of: order.localPath))?.size
    }

    /// Fetches a file and waits for the end. A call with the same order resumes where the last one stopped.
    package func downloaded(_ order: DownloadOrder) async throws -> TransferSnapshot {
        try await downloaded([order])[0].get()
    }

    /// Fetches files that are begun together, and waits for the end of each.
    ///
    /// - Returns: what became of each, in their order.
    /// - Throws: as `upload(_:)`.
    package func downloaded(_ orders: [DownloadOrder]) async throws -> [Result<TransferSnapshot, any Error>] {
        // Several that are asked for side by side are claimed one after the other, and fetched together.
        let coming = orders.contains(where: \.isShared) ? services.smallDownloads.expect() : nil
        defer { coming?.leave() }
        let ids = try await download(orders)
        // They have seats of their own once they are begun.
        await starting?.value
        coming?.leave()
        return try await ends(of: ids)
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

    /// Ends the downloads that have not ended and whose destinations begin so, except for those to `wanted`.
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

    /// How each has ended, or rests. A person's pause is a wish like any other: the waiting caller is told that it rests.
    private func ends(of ids: [String]) async throws -> [Result<TransferSnapshot, any Error>] {
        var last = [String: TransferSnapshot]()
        var away = [String: ClientFailure]()
        for await snapshot in observe(ids) {
            last[snapshot.id] = snapshot
            guard snapshot.state == .paused(.offline) else { continue }
            away[snapshot.id] = snapshot.failure
            pass(.stop, to: snapshot.id)
        }
        // What took another's place is what became of that.
        let now = ids.map { id in
            var id = id
            while let next = last[id]?.replacedBy, last[next] != nil { id = next }
            return id
        }
        // A stream ends early when the one who reads it is cancelled.
        if Task.isCancelled {
            // In a task that is not cancelled: what is stopped is written down.
            await Task { await stopHere(now) }.value
            throw CancellationError()
        }
        return now.map { id in Result { try Self.end(id, last[id], away: away[id]) } }
    }

    private func stopHere(_ ids: [String]) async {
        await withDiscardingTaskGroup { group in
            for id in ids { group.addTask { await self.stopHere(id) } }
        }
    }

    private static func end(
        _ id: String, _ last: TransferSnapshot?, away: ClientFailure?
    ) throws -> TransferSnapshot {
        guard let last else { throw TransferStore.unknown(id) }
        switch last.state {
        case .completed: return last
        case .canceled: throw ClientFailure(.transferCanceled, "The transfer of “\(last.name)” was canceled.")
        case .paused(.user): throw ClientFailure(.transferPaused, "The transfer of “\(last.name)” was paused.")
        case .paused(.signInNeeded):
            throw last.failure ?? ClientFailure(.signInNeeded, "The upload session on the server has ended.")
        default:
            throw last.failure ?? away ?? ClientFailure(.offline, "The transfer of “\(last.name)” was stopped.")
        }
    }
}
