import BothyContract

/// What a person asks of a transfer, whichever process runs it.
extension TransfersRepository {
    /// Holds a transfer until it is resumed.
    public func pause(_ id: String) async throws { try await ask(.pause, of: id) }

    /// Ends a transfer for good, and frees what it holds here and on the server.
    public func cancel(_ id: String) async throws { try await ask(.cancel, of: id) }

    /// Resumes a paused, stopped or failed transfer, in this process. One that runs elsewhere is joined, and
    /// one that has completed, perhaps just now, is as it should be.
    public func resume(_ id: String) async throws {
        let full = try await fullId(id)
        if try await store.find(full)?.state == .completed { return }
        do {
            try await goOn(full) { _ in }
        } catch let failure as ClientFailure where failure.code == .refused {
            guard try await store.find(full)?.state == .completed else { throw failure }
        }
    }

    /// `resume`, of one that failed.
    public func retry(_ id: String) async throws { try await resume(id) }

    /// Begins again from the first byte: what was sent or fetched so far is given up, and the source is taken as it is
    /// now.
    public func retryFromScratch(_ id: String) async throws {
        let full = try await fullId(id)
        if running[full] != nil { try await pause(full) }
        if let task = ended[full] { await task.value }
        if let runner = try await store.find(full)?.runner, runner != identity.id, identity.isAlive(runner) {
            throw ClientFailure(
                .refused, "Another process, such as the agent, is running this transfer.",
                remedy: "Pause it first with “bothy transfers pause”, then retry it from scratch.")
        }
        if case .upload(let transfer)? = try await store.find(full), let session = transfer.sessionId {
            // Before the new session asks what is there: what only the old one had is to be sent again.
            try? await services.uploads.cancel(session)
        }
        if case .download(let transfer)? = try await store.find(full) {
            try services.environment.disk.remove(transfer.tempPath)
        }
        try await goOn(full) { record in
            switch record {
            case .upload(var transfer):
                transfer.forgetProgress()
                record = .upload(transfer)
            case .download(var transfer):
                transfer.forgetProgress()
                record = .download(transfer)
            }
        }
    }

    /// Stops it where it runs here, or would once its turn comes. It is fine when it does not.
    func stopHere(_ id: String) async {
        if queue.remove(id) {
            // One whose record cannot be written is nobody's as soon as this process ends.
            try? await settleAtRest(.stop, id)
        } else {
            await bringToRest(id, by: .stop)
        }
    }

    /// Asks it of the runner that moves it here, and returns once none does.
    func bringToRest(_ id: String, by wish: TransferWish) async {
        while ended[id] != nil {
            // One that has only just been begun has no runner to be asked yet.
            guard running[id] != nil else {
                await Task.yield()
                continue
            }
            pass(wish, to: id)
            if case .company? = running[id] {
                // It is about to be through, and waits for no other.
                await withCheckedContinuation { waitingForEnds[id, default: []].append($0) }
            } else {
                await ended[id]?.value
            }
        }
    }

    /// Removes the records of transfers that have been over for long.
    package func forgetOld() async throws {
        try await store.removeOver(before: Self.old(services.clock.now()))
    }

    /// When those ended that are not remembered any more.
    static func old(_ now: Timestamp) -> Timestamp { now.adding(seconds: -recordLifetime) }

    /// Removes the records of transfers that are over.
    public func forgetOver() async throws {
        try await store.removeOver(before: Timestamp(seconds: Timestamp.lastSecond))
    }

    private func goOn(_ id: String, _ change: @escaping @Sendable (inout TransferRecord) -> Void) async throws {
        let full = try await fullId(id)
        if running[full] != nil { return }
        if let task = ended[full] { await task.value }
        let claim = try await store.claim(full, by: identity, now: services.clock.now(), change)
        if claim.record.state.isOver {
            throw ClientFailure(
                .refused, "The transfer of “\(claim.record.snapshot.name)” has ended.", remedy: "Start a new one.")
        }
        begin([(claim, claim.record.snapshot.bytesTotal, nil)])
    }

    private func ask(_ wish: TransferWish, of id: String) async throws {
        let full = try await fullId(id)
        var found: TransferRecord?
        repeat {
            await bringToRest(full, by: wish)
            found = try await store.find(full)
            // Its turn may have come meanwhile.
        } while ended[full] != nil
        guard let record = found else { throw TransferStore.unknown(id) }
        // What came to rest may have done so for another reason.
        guard !record.state.isOver, wish != .pause || record.state != .paused(.user) else { return }
        if record.runner != identity.id, identity.isAlive(record.runner) {
            try await store.setWish(wish, of: full)
            return
        }
        _ = queue.remove(full)
        try await settleAtRest(wish, full)
    }

    /// Nobody runs it: its machine is asked, and what it wants written and freed is done here.
    func settleAtRest(_ wish: TransferWish, _ id: String) async throws {
        let claim = try await store.claim(id, by: identity, now: services.clock.now())
        guard claim.mine else { return try await store.setWish(wish, of: id) }
        switch claim.record {
        case .upload(let transfer):
            var machine = UploadMachine(transfer)
            let actions = machine.handle(.asked(wish))
            try await write(.upload(machine.transfer))
            // A session that cannot be canceled now expires by itself.
            for case .cancelSession(let session) in actions { try? await services.uploads.cancel(session) }
            if transfer.spooled, machine.transfer.state.isOver {
                try services.environment.disk.remove(transfer.localPath)
            }
        case .download(let transfer):
            var machine = DownloadMachine(transfer)
            let actions = machine.handle(.asked(wish))
            if actions.contains(.discard) { try services.environment.disk.remove(transfer.tempPath) }
            try await write(.download(machine.transfer))
        }
    }

    private func write(_ record: TransferRecord) async throws {
        var record = record
        record.set(state: record.state, runner: nil)
        try await store.save(record)
        tell(record.snapshot)
    }
}
