import BothyContent
import BothyContract
import Synchronization

/// Small files that come down together: fetched by one request, each put in its place as it comes, written down in one commit.
final class DownloadCompany: TransferCompany {
    /// A class, since it is handed on and has a machine's whole record.
    private final class Ready: Sendable {
        /// It waits for all of the file.
        let machine: DownloadMachine
        let revisionId: String
        let size: Int64
        let hash: ContentHash
        /// Whether it is known where it can be fetched by itself.
        let hasAddress: Bool
        let partial: PartialFile

        /// - Returns: nil for what does not go the usual way.
        init?(_ transfer: DownloadTransfer, known: RemoteContent, on disk: TransferDisk) {
            var machine = DownloadMachine(transfer)
            guard case .lookUp? = machine.handle(.begin).first,
                machine.handle(.lookedUp(known, comesWhole: true)) == [.save, .receive],
                let revisionId = machine.transfer.revisionId, let size = machine.transfer.expectedSize,
                let hash = machine.transfer.expectedHash
            else { return nil }
            (self.machine, self.revisionId, self.size, self.hash) = (machine, revisionId, size, hash)
            hasAddress = known.downloadUrl != nil
            partial = PartialFile(machine.transfer, on: disk, isSmall: true)
        }

        var id: String { machine.transfer.transferId }
        var transfer: DownloadTransfer { machine.transfer }
    }

    /// What became of one of them on the disk.
    private struct Outcome: Sendable {
        let ready: Ready
        var fate: Fate
    }

    private enum Fate: Sendable {
        /// It is in its place.
        case placed(bytes: Int64, carried: Int64)
        case left(Departure)
    }

    private let entries: [TransferQueue.Entry]
    private let services: TransferServices
    private let roll = CompanyRoll()
    /// What those that are fetched are given up by.
    private let numbers = Mutex([String: Int]())

    /// - Parameter entries: of downloads, whose content is known.
    init(_ entries: [TransferQueue.Entry], services: TransferServices) {
        self.entries = entries
        self.services = services
    }

    func run(_ tell: @Sendable ([(place: Int, end: CompanyEnd)]) async -> Void) async {
        let ready = entries.map(ready)
        let going = await noted(ready)
        let staying = entries.indices.filter { going[$0] == nil }
        await tell(staying.map { (place: $0, end: .left(.unusual)) })
        let arrivals = fetch(going.enumerated().compactMap { place, ready in ready.map { (place, $0) } })
        // What is in its place is told while others are still on their way.
        while let arrived = await arrivals.next() { await tell(await settled(arrived)) }
    }

    private func ready(_ entry: TransferQueue.Entry) -> Ready? {
        guard case .download(let transfer) = entry.record, let known = entry.known else { return nil }
        return Ready(transfer, known: known, on: services.disk)
    }

    /// A process that finds a file in its place knows by the record whether it is what this brought. What another one makes durable
    /// where it puts it is brought to a place of its own, and may be brought there once more.
    ///
    /// - Returns: those that go, at their places.
    private func noted(_ ready: [Ready?]) async -> [Ready?] {
        let records = ready.compactMap { ready in
            ready.flatMap { $0.transfer.isDurable ? TransferRecord.download($0.transfer) : nil }
        }
        do {
            try await services.store.save(records) { !self.roll.hasLeft($0.id) }
            return ready
        } catch {
            return ready.map { _ in nil }
        }
    }

    // MARK: - Fetching

    private func fetch(_ going: [(place: Int, ready: Ready)]) -> Arrivals<Outcome> {
        let wanted = going.filter { !roll.hasLeft($0.ready.id) }
        let arrivals = Arrivals<Outcome>(count: wanted.count)
        let wishes = wanted.map { ($0.ready.revisionId, $0.ready.size) }
        let given = services.smallDownloads.fetch(wishes) { index, result in
            let (place, ready) = wanted[index]
            arrivals.begin()
            self.take(result, of: ready) { arrivals.add(Outcome(ready: ready, fate: $0), at: place) }
        }
        numbers.withLock { numbers in
            for (one, number) in zip(wanted, given) { numbers[one.ready.id] = number }
        }
        for (one, number) in zip(wanted, given) where roll.hasLeft(one.ready.id) {
            services.smallDownloads.giveUp(number)
        }
        return arrivals
    }

    /// - Parameter tell: called once, on any thread.
    private func take(
        _ result: Result<SmallDownloads.Brought?, any Error>, of ready: Ready, tell: @escaping @Sendable (Fate) -> Void
    ) {
        switch result {
        case .success(let brought?) where brought.content.revisionId == ready.revisionId:
            services.disk.finish(isDurable: ready.transfer.isDurable) { tell(self.place(brought, of: ready)) }
        case .success: tell(.left(.download(ready.machine, .notReceived(hasAddress: ready.hasAddress))))
        case .failure(let failure as TransferFailure):
            tell(.left(.download(ready.machine, .lookUpRefused(failure))))
        case .failure: tell(.left(.unusual))
        }
    }

    private func place(_ brought: SmallDownloads.Brought, of ready: Ready) -> Fate {
        // From here on its file may be there: it ends here.
        guard roll.keep(ready.id) else { return .left(.unusual) }
        let (transfer, bytes) = (ready.transfer, Int64(brought.bytes.readableBytes))
        do {
            let isWhole = try ready.partial.receiveNow(
                brought.bytes, as: ready.hash, executable: transfer.executable, modifiedAt: transfer.modifiedAt)
            guard isWhole else { return .left(.download(ready.machine, .receivedCorrupted)) }
            return .placed(bytes: bytes, carried: brought.carried ?? bytes)
        } catch let loss as WritesLost {
            return .left(.download(ready.machine, .writesLost(loss.failure)))
        } catch {
            return .left(.download(ready.machine, .diskFailed(Self.failure(error))))
        }
    }

    private static func failure(_ error: any Error) -> TransferFailure {
        error as? TransferFailure ?? TransferFailure(.unexpected, "An unexpected error occurred: \(error).")
    }

    // MARK: - Ending

    private func settled(
        _ arrived: [(place: Int, outcome: Outcome)]
    ) async -> [(place: Int, end: CompanyEnd)] {
        let failures = await syncFolders(of: arrived.map(\.outcome))
        var ends = arrived.map { place, outcome -> (place: Int, end: CompanyEnd) in
            switch outcome.fate {
            case .placed(let bytes, let carried):
                if let failure = failures[outcome.ready.transfer.folder] {
                    return (place, .left(.download(outcome.ready.machine, .diskFailed(failure))))
                }
                return (place, .through(end(of: outcome.ready, bytes, carried: carried)))
            case .left(let departure): return (place, .left(departure))
            }
        }
        do {
            try await services.store.save(
                ends.compactMap { if case .through(let end) = $0.end { end.record } else { nil } })
        } catch {
            // It is there: a runner of its own tries to write that.
            for (index, (_, outcome)) in arrived.enumerated() {
                guard case .through = ends[index].end, case .placed(_, let carried) = outcome.fate else { continue }
                ends[index].end = .left(.download(outcome.ready.machine, .received(carried: carried)))
            }
        }
        return ends
    }

    /// What was renamed into a folder outlives a power cut once that is synced.
    ///
    /// - Returns: why that failed, by the folder.
    private func syncFolders(of outcomes: [Outcome]) async -> [String: TransferFailure] {
        let placed = outcomes.filter { if case .placed = $0.fate { $0.ready.transfer.isDurable } else { false } }
        return await withTaskGroup(of: (String, TransferFailure?).self) { group in
            for folder in Set(placed.map(\.ready.transfer.folder)) {
                group.addTask { [disk = services.disk] in
                    do {
                        try await disk.folders.sync(folder)
                        return (folder, nil)
                    } catch {
                        return (folder, Self.failure(error))
                    }
                }
            }
            return await group.reduce(into: [String: TransferFailure]()) { $0[$1.0] = $1.1 }
        }
    }

    private func end(of ready: Ready, _ bytes: Int64, carried: Int64) -> TransferEnd {
        var machine = ready.machine
        _ = machine.handle(.received(carried: carried))
        var transfer = machine.transfer
        transfer.runner = nil
        transfer.updatedAt = services.clock.now()
        return TransferEnd(record: .download(transfer), bytesMoved: bytes)
    }

    func leave(_ id: String) -> Bool {
        guard roll.leave(id) else { return false }
        if let number = numbers.withLock({ $0[id] }) { services.smallDownloads.giveUp(number) }
        return true
    }
}
