import BothyContract

/// Running, joining, and taking over.
extension TransfersRepository {
    /// Who moves a transfer in this process.
    enum Mover {
        case runner(any TransferRunner)
        case company(any TransferCompany, TransferQueue.Entry)
    }

    /// Asks it of the runner that moves it here. One that goes in company leaves that, and a runner of its own does what is asked; unless
    /// it is through.
    func pass(_ wish: TransferWish, to id: String) {
        switch running[id] {
        case .runner(let runner)?: runner.ask(wish)
        case .company(let company, let entry)?:
            guard company.leave(id) else { return }
            running[id] = nil
            start(entry, after: .asked(wish))
        case nil: break
        }
    }

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
        startSoon()
        watch()
    }

    /// What is asked for one by one, but at one moment, goes together.
    private func startSoon() {
        guard starting == nil else { return }
        starting = Task {
            starting = nil
            startNext()
        }
    }

    private func startNext() {
        guard !isStopped else { return }
        var gathering = CompanyGathering()
        while let entry = queue.next() {
            if let entries = gathering.take(entry) { start(entries) }
        }
        for entries in gathering.rest { start(entries) }
    }

    /// Starts a runner of its own.
    ///
    /// - Parameter departure: why it left a company.
    private func start(_ entry: TransferQueue.Entry, after departure: Departure? = nil) {
        beginning.insert(entry.id)
        // Counted before it takes its first step: a company that is ready does not leave without it.
        let isShared = entry.isSharedDownload && departure?.goesAlone != true
        let seat = isShared ? services.smallDownloads.expect() : nil
        ended[entry.id] = Task(executorPreference: services.executor) { await self.runToRest(entry, seat, departure) }
    }

    /// - Parameter entries: all up or all down.
    private func start(_ entries: [TransferQueue.Entry]) {
        guard entries.count > 1 else { return entries.forEach { start($0) } }
        let uploads = entries.compactMap { if case .upload(let transfer) = $0.record { transfer } else { nil } }
        let company: any TransferCompany =
            uploads.isEmpty
            ? DownloadCompany(entries, services: services) : UploadCompany(uploads, services: services)
        let task = Task(executorPreference: services.executor) { await self.run(company, of: entries) }
        for entry in entries {
            running[entry.id] = .company(company, entry)
            ended[entry.id] = task
        }
        told.yield(
            entries.map { entry in
                var begun = entry.record.snapshot
                begun.state = .transferring
                return begun
            })
    }

    private func run(_ company: any TransferCompany, of entries: [TransferQueue.Entry]) async {
        await company.run { ends in await self.take(ends, of: entries, in: company) }
    }

    private func take(
        _ ends: [(place: Int, end: CompanyEnd)], of entries: [TransferQueue.Entry], in company: any TransferCompany
    ) {
        guard !ends.isEmpty else { return }
        var through = [TransferSnapshot]()
        var waiters = [CheckedContinuation<Void, Never>]()
        for (place, end) in ends {
            let entry = entries[place]
            // One that left has a runner, which says how it ends.
            guard case .company(let other, _)? = running[entry.id], other === company else { continue }
            running[entry.id] = nil
            ended[entry.id] = nil
            switch end {
            case .through(let end):
                note(end)
                through.append(end.snapshot)
                queue.ended(entry.id)
            // What ends with the program does not begin anew before.
            case .left(.unusual) where isStopped: start(entry, after: .asked(.stop))
            case .left(let departure): start(entry, after: departure)
            }
            waiters += waitingForEnds.removeValue(forKey: entry.id) ?? []
        }
        told.yield(through)
        for waiter in waiters { waiter.resume() }
        startSoon()
    }

    private func runToRest(
        _ entry: TransferQueue.Entry, _ seat: SmallDownloads.Seat?, _ departure: Departure?
    ) async {
        let id = entry.id
        beginning.remove(id)
        // One that had begun in company rests, and that is written down, also in a process that ends.
        if !isStopped || departure != nil {
            let runner: any TransferRunner
            switch entry.record {
            case .upload(let transfer): runner = UploadRunner(transfer, after: departure, services: services)
            case .download(let transfer):
                let shared = seat.map {
                    SharedFetch(downloads: services.smallDownloads, seat: $0, size: entry.size ?? 0)
                }
                runner = DownloadRunner(
                    transfer, known: entry.known, shared: shared, after: departure, services: services)
            }
            running[id] = .runner(runner)
            if isStopped { runner.ask(.stop) }
            let end = await runner.run()
            running[id] = nil
            await settle(end)
        }
        ended[id] = nil
        queue.ended(id)
        startNext()
    }

    /// Keeps the answer for those who wait for an upload. A source that came to its end may change as often as any other again.
    private func note(_ end: TransferEnd) {
        if case .upload(let transfer) = end.record, transfer.state.isOver { successions[transfer.localPath] = nil }
        if awaited.contains(end.record.id) { answers[end.record.id] = end.file }
    }

    /// What is left to do once a transfer rests; then it is told.
    private func settle(_ end: TransferEnd) async {
        if case .upload(let transfer) = end.record {
            // A copy that cannot be removed costs room, and nothing else.
            if transfer.spooled, transfer.state.isOver { try? services.environment.disk.remove(transfer.localPath) }
            let changed = transfer.state == .failed && transfer.lastError?.code == .sourceChanged
            if changed, !transfer.spooled, !transfer.hasKeeper, await succeed(transfer) { return }
        }
        note(end)
        await services.tell(end.snapshot)
    }

    /// The source changed: the newer content is a new transfer, and the older one is over.
    ///
    /// - Returns: false when the source is gone or unreadable by now, or changes again and again.
    private func succeed(_ old: UploadTransfer) async -> Bool {
        // What looks as it did would be this very transfer again, which would wait for itself. What cannot be looked at is nothing newer.
        guard let now = try? services.environment.disk.facts(of: old.localPath), SourcePin(now) != old.source else {
            return false
        }
        let times = successions[old.localPath, default: 0] + 1
        guard times <= Self.mostSuccessions, !isStopped else { return false }
        successions[old.localPath] = times
        var order = UploadOrder(
            localPath: old.localPath, name: old.name, parentId: old.parentId, fileId: old.fileId,
            baseRevisionId: old.baseRevisionId, conflict: old.conflict, mimeType: old.mimeType)
        order.ancestor = old.ancestorId
        order.checksum = old.expectedHash
        // Where it cannot be begun, the older one is told as failed, and may be tried again.
        return (try? await upload([order])) != nil
    }

    /// An older transfer that newer content has taken the place of.
    func giveUp(_ record: TransferRecord) async {
        pass(.cancel, to: record.id)
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
        // A wish that cannot be read now is read at the next look.
        for (id, wish) in (try? await store.wishes(to: identity.id)) ?? [] { pass(wish, to: id) }
        for id in joined.keys { await follow(id) }
        for id in unread.keys where !observers.watches(id) { unread[id] = nil }
        if !unread.isEmpty { await tellStanding(Array(unread.keys)) }
        if running.isEmpty, ended.isEmpty, joined.isEmpty, unread.isEmpty, starting == nil {
            watching = nil
            return false
        }
        return true
    }

    private func follow(_ id: String) async {
        let found: TransferRecord?
        do {
            found = try await store.find(id)
        } catch let failure as ClientFailure where failure.code == .homeUnusable {
            return tellLost(id, failure)
        } catch {
            // A database that cannot be read now is looked at again; the waiters for this transfer are not left behind.
            return
        }
        guard let record = found else { return tellForgotten(id) }
        if record.state.rests {
            joined[id] = nil
            tell(record.snapshot)
        } else if identity.isAlive(record.runner) {
            joined[id] = record.snapshot
            tell(record.snapshot)
            // One that cannot be claimed now is claimed at the next look.
        } else if let claim = try? await store.claim(id, by: identity, now: services.clock.now()), claim.mine {
            // The process that ran it has died.
            joined[id] = nil
            begin([(claim, claim.record.snapshot.bytesTotal, nil)])
        }
    }

    /// Waiters for a transfer whose record is gone hear that its end is unknown.
    private func tellForgotten(_ id: String) {
        guard let name = joined[id]?.name else { return }
        tellLost(
            id,
            ClientFailure(
                .transferNotFound, "The transfer of “\(name)” was forgotten by another program while it ran.",
                remedy: "Run the command again. What was already uploaded is not sent again."))
    }

    private func tellLost(_ id: String, _ failure: ClientFailure) {
        guard var snapshot = joined.removeValue(forKey: id) else { return }
        snapshot.state = .failed
        snapshot.failure = failure
        tell(snapshot)
    }
}
