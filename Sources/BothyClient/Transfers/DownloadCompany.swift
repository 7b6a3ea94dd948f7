import BothyContent
import BothyContract
import Synchronization

/// Small files that come down together: fetched by one request, each put in its place as it comes, written down in one commit.
final class DownloadCompany: TransferCompany {
    private struct Ready: Sendable {
        /// It waits for all of the file.
        var machine: DownloadMachine
        var revisionId: String
        var size: Int64
        var hash: ContentHash
        /// Whether it is known where it can be fetched by itself.
        var hasAddress: Bool
        var partial: PartialFile

        var id: String { machine.transfer.transferId }
        var transfer: DownloadTransfer { machine.transfer }
    }

    /// What became of one of them on the disk.
    private enum Outcome: Sendable {
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

    func run() async -> [CompanyEnd] {
        let ready = entries.map(ready)
        let going = await noted(ready.compactMap(\.self))
        var outcomes = Dictionary(
            uniqueKeysWithValues: zip(going, await fetched(going)).map { ($0.id, ($0, $1)) })
        await syncFolders(of: &outcomes)
        return await written(outcomes)
    }

    /// - Returns: nil for what does not go the usual way.
    private func ready(_ entry: TransferQueue.Entry) -> Ready? {
        guard case .download(let transfer) = entry.record, let known = entry.known else { return nil }
        var machine = DownloadMachine(transfer)
        guard case .lookUp? = machine.handle(.begin).first,
            machine.handle(.lookedUp(known, comesWhole: true)) == [.save, .receive],
            let revisionId = machine.transfer.revisionId, let size = machine.transfer.expectedSize,
            let hash = machine.transfer.expectedHash
        else { return nil }
        return Ready(
            machine: machine, revisionId: revisionId, size: size, hash: hash, hasAddress: known.downloadUrl != nil,
            partial: PartialFile(machine.transfer, on: services.disk, isSmall: true))
    }

    /// Whoever finds a file in its place that nothing may replace knows by the record that it is this.
    private func noted(_ ready: [Ready]) async -> [Ready] {
        let kept = ready.filter { !$0.transfer.replacing }.map { TransferRecord.download($0.transfer) }
        do {
            try await services.store.save(kept)
            return ready
        } catch {
            return ready.filter(\.transfer.replacing)
        }
    }

    // MARK: - Fetching

    private func fetched(_ going: [Ready]) async -> [Outcome] {
        let wanted = going.filter { !roll.hasLeft($0.id) }
        let came = await withCheckedContinuation { continuation in
            let outcomes = Outcomes(wanted.count, continuation)
            let numbers = services.smallDownloads.fetch(wanted.map { ($0.revisionId, $0.size) }) { place, result in
                self.take(result, of: wanted[place]) { outcomes.set($0, at: place) }
            }
            self.numbers.withLock { known in
                for (ready, number) in zip(wanted, numbers) { known[ready.id] = number }
            }
            for (ready, number) in zip(wanted, numbers) where roll.hasLeft(ready.id) {
                services.smallDownloads.giveUp(number)
            }
        }
        let byId = Dictionary(uniqueKeysWithValues: zip(wanted.map(\.id), came))
        return going.map { byId[$0.id] ?? .left(.unusual) }
    }

    /// - Parameter tell: called once, on any thread.
    private func take(
        _ result: Result<SmallDownloads.Brought?, any Error>, of ready: Ready,
        tell: @escaping @Sendable (Outcome) -> Void
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

    private func place(_ brought: SmallDownloads.Brought, of ready: Ready) -> Outcome {
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
        error as? TransferFailure ?? TransferFailure(.diskFailed, "Something unforeseen happened: \(error).")
    }

    // MARK: - Ending

    /// What was renamed into a folder outlives a power cut once that is synced.
    private func syncFolders(of outcomes: inout [String: (Ready, Outcome)]) async {
        let placed = outcomes.values.filter { if case .placed = $0.1 { $0.0.transfer.isDurable } else { false } }
        let folders = Set(placed.map(\.0.transfer.folder))
        let failures = await withTaskGroup(of: (String, TransferFailure?).self) { group in
            for folder in folders {
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
        for (ready, _) in placed {
            guard let failure = failures[ready.transfer.folder] else { continue }
            outcomes[ready.id]?.1 = .left(.download(ready.machine, .diskFailed(failure)))
        }
    }

    private func written(_ outcomes: [String: (Ready, Outcome)]) async -> [CompanyEnd] {
        var ends = entries.map { entry -> CompanyEnd in
            guard let (ready, outcome) = outcomes[entry.id] else { return .left(.unusual) }
            switch outcome {
            case .placed(let bytes, let carried): return .through(end(of: ready, bytes, carried: carried))
            case .left(let departure): return .left(departure)
            }
        }
        do {
            try await services.store.save(
                ends.compactMap { if case .through(let end) = $0 { end.record } else { nil } })
        } catch {
            // It is there: its runner says that this cannot be written.
            for (index, entry) in entries.enumerated() {
                guard case .through = ends[index], let (ready, _) = outcomes[entry.id] else { continue }
                ends[index] = .left(.download(ready.machine, .received(carried: ready.size)))
            }
        }
        return ends
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

    /// Collects what becomes of each, and says so once that is known of all.
    private final class Outcomes: Sendable {
        private struct State {
            var outcomes: [Outcome]
            var left: Int
        }

        private let state: Mutex<State>
        private let all: CheckedContinuation<[Outcome], Never>

        init(_ count: Int, _ all: CheckedContinuation<[Outcome], Never>) {
            state = Mutex(State(outcomes: Array(repeating: .left(.unusual), count: count), left: count))
            self.all = all
            if count == 0 { all.resume(returning: []) }
        }

        func set(_ outcome: Outcome, at place: Int) {
            let whole = state.withLock { state -> [Outcome]? in
                state.outcomes[place] = outcome
                state.left -= 1
                return state.left == 0 ? state.outcomes : nil
            }
            if let whole { all.resume(returning: whole) }
        }
    }
}
