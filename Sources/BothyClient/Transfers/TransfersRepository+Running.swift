import BothyContract

/// Running, joining, and taking over.
extension TransfersRepository {
    func begin(_ claims: [(TransferStore.Claim, size: Int64?, known: RemoteContent?)]) {
        guard !isStopped else { return }
        var entries = [TransferQueue.Entry]()
        for (claim, size, known) in claims {
            if claim.mine {
                entries.append(TransferQueue.Entry(record: claim.record, size: size, known: known))
            } else if !claim.record.state.isOver {
                join(claim.record.snapshot)
            }
        }
        queue.add(entries)
        startNext()
        watch()
    }

    private func startNext() {
        guard !isStopped else { return }
        while let entry = queue.next() {
            beginning.insert(entry.id)
            // Counted before it takes its first step: whoever is ready does not leave without it.
            let seat = entry.isSharedDownload ? services.smallDownloads.expect() : nil
            ended[entry.id] = Task(executorPreference: services.executor) { await self.runToRest(entry, seat) }
        }
    }

    private func runToRest(_ entry: TransferQueue.Entry, _ seat: SmallDownloads.Seat?) async {
        let id = entry.id
        beginning.remove(id)
        if !isStopped {
            let runner: any TransferRunner
            switch entry.record {
            case .upload(let transfer): runner = UploadRunner(transfer, services: services)
            case .download(let transfer):
                let shared = seat.map {
                    SharedFetch(downloads: services.smallDownloads, seat: $0, size: entry.size ?? 0)
                }
                runner = DownloadRunner(transfer, known: entry.known, shared: shared, services: services)
            }
            running[id] = runner
            let end = await runner.run()
            running[id] = nil
            await settle(end)
        }
        ended[id] = nil
        queue.ended(id)
        startNext()
    }

    /// What is left to do once a transfer rests; then it is told.
    private func settle(_ end: TransferEnd) async {
        if case .upload(let transfer) = end.record {
            if transfer.spooled, transfer.state.isOver { try? services.environment.disk.remove(transfer.localPath) }
            let changed = transfer.state == .failed && transfer.lastError?.code == .sourceChanged
            if changed, !transfer.spooled, !transfer.hasKeeper, await succeed(transfer) { return }
        }
        if awaited.contains(end.record.id) { answers[end.record.id] = end.file }
        await services.tell(end.snapshot)
    }

    /// The source changed: the newer content is a new transfer, and the older one is over.
    ///
    /// - Returns: false when the source is gone or unreadable by now, or changes again and again.
    private func succeed(_ old: UploadTransfer) async -> Bool {
        let times = successions[old.localPath, default: 0] + 1
        guard times <= Self.mostSuccessions, !isStopped else { return false }
        successions[old.localPath] = times
        var order = UploadOrder(
            localPath: old.localPath, name: old.name, parentId: old.parentId, fileId: old.fileId,
            baseRevisionId: old.baseRevisionId, conflict: old.conflict, mimeType: old.mimeType)
        order.ancestor = old.ancestorId
        order.checksum = old.expectedHash
        return (try? await upload([order])) != nil
    }

    /// An older transfer that newer content has taken the place of.
    func giveUp(_ record: TransferRecord) async {
        running[record.id]?.ask(.cancel)
        _ = queue.remove(record.id)
        tell(record.snapshot)
        if case .upload(let transfer) = record, let session = transfer.sessionId {
            let uploads = services.uploads
            // Best effort: a session that is not canceled expires.
            Task { try? await uploads.cancel(session) }
        }
    }

    // MARK: - Other processes

    func join(_ snapshot: TransferSnapshot) {
        joined[snapshot.id] = snapshot
        watch()
    }

    /// Looks after what other processes do and want, while there is anything to look after.
    func watch() {
        guard watching == nil, !isStopped else { return }
        watching = Task { [weak self, clock = services.clock] in
            while await self?.lookAround() == true {
                guard (try? await clock.sleep(seconds: Self.lookInterval)) != nil else { return }
            }
        }
    }

    /// - Returns: false when there is nothing to look after any more.
    private func lookAround() async -> Bool {
        for (id, wish) in (try? await store.wishes(to: identity.id)) ?? [] { running[id]?.ask(wish) }
        for id in joined.keys { await follow(id) }
        if running.isEmpty, ended.isEmpty, joined.isEmpty {
            watching = nil
            return false
        }
        return true
    }

    private func follow(_ id: String) async {
        let found: TransferRecord?
        do {
            found = try await store.find(id)
        } catch {
            // A database that cannot be read now is looked at again; whoever waits for this transfer is not left behind.
            return
        }
        guard let record = found else { return tellForgotten(id) }
        if record.state.rests {
            joined[id] = nil
            tell(record.snapshot)
        } else if identity.isAlive(record.runner) {
            joined[id] = record.snapshot
            tell(record.snapshot)
        } else if let claim = try? await store.claim(id, by: identity, now: services.clock.now()), claim.mine {
            // Whoever ran it has died.
            joined[id] = nil
            begin([(claim, claim.record.snapshot.bytesTotal, nil)])
        }
    }

    /// Whoever waits for a transfer whose record is gone hears that nobody knows how it ended.
    private func tellForgotten(_ id: String) {
        guard var snapshot = joined.removeValue(forKey: id) else { return }
        snapshot.state = .failed
        snapshot.failure = ClientFailure(
            .transferNotFound, "The transfer of “\(snapshot.name)” was forgotten by another program while it ran.",
            remedy: "Type the command again; what is there already is not sent twice.")
        tell(snapshot)
    }
}
