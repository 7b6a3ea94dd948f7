import BothyClient
import BothyContract

/// Some transfers, from the order to the rest.
struct TransferBatch: Sendable {
    let home: DeviceHome
    let display: ProgressDisplay
    let log: TransferLog

    func run(_ jobs: [TransferJob]) async throws {
        var started: [String: TransferJob] = [:]
        for (job, id) in try await begin(jobs) {
            // The same order twice is one transfer; it is told of once.
            started[id] = started[id] ?? job
        }
        var shown: [String: Int] = [:]
        for id in started.keys { shown[id] = await display.begin() }
        while !started.isEmpty {
            try await follow(&started, &shown)
            // What could not be read for long is asked for by its id, which says why; or it can be read by now, and is watched again.
            for id in started.keys { _ = try await home.transfers.snapshot(id) }
        }
    }

    /// - Parameter started: loses those that rest.
    private func follow(_ started: inout [String: TransferJob], _ shown: inout [String: Int]) async throws {
        for await snapshot in await home.transfers.observe(Array(started.keys)) {
            guard let job = started[snapshot.id], let number = shown[snapshot.id] else { continue }
            if snapshot.state.rests { started[snapshot.id] = nil }
            if snapshot.state.rests, let newer = snapshot.replacedBy {
                // The source changed, and its newer content goes in this one's place.
                started[newer] = job
                shown[newer] = number
                continue
            }
            // It stays, and resumes once the disk works again. Nobody is to wait for that without a word.
            if let failure = snapshot.failure, failure.isOfServersDisk, !snapshot.state.isOver {
                throw Complaint(failure, about: job.label)
            }
            await display.update(number, ProgressItem(snapshot, label: job.label))
            guard snapshot.state.rests else { continue }
            try await tell(snapshot, of: job)
        }
    }

    /// Begins all in one step; when one cannot begin, each on its own, so that the others do.
    private func begin(_ jobs: [TransferJob]) async throws -> [(TransferJob, String)] {
        do {
            return Array(zip(jobs, try await ids(for: jobs)))
        } catch let failure as ClientFailure where Self.concernsAll(failure.code) {
            throw failure
        } catch is ClientFailure {
            // One of them cannot begin: found out below.
        }
        var begun: [(TransferJob, String)] = []
        for job in jobs {
            do {
                begun.append((job, try await ids(for: [job])[0]))
            } catch {
                guard let complaint = Complaint(describing: error) else { throw error }
                try await log.tell(document(.failed, job), line: nil, complaint: complaint)
            }
        }
        return begun
    }

    /// What stands in the way of every transfer alike: told once, and the command ends.
    private static func concernsAll(_ code: FailureCode) -> Bool {
        switch code {
        case .homeUnusable, .homeNewer, .signInNeeded, .diskFull: true
        default: false
        }
    }

    private func ids(for jobs: [TransferJob]) async throws -> [String] {
        var uploads: [UploadOrder] = []
        var downloads: [DownloadOrder] = []
        var recorded: [String] = []
        for job in jobs {
            switch job.order {
            case .upload(let order): uploads.append(order)
            case .download(let order): downloads.append(order)
            case .resume(let id):
                try await home.transfers.resume(id)
                recorded.append(id)
            case .begun(let id): recorded.append(id)
            }
        }
        // A command's jobs are all of one kind.
        guard recorded.isEmpty else { return recorded }
        return try await uploads.isEmpty ? home.transfers.download(downloads) : home.transfers.upload(uploads)
    }

    private func tell(_ snapshot: TransferSnapshot, of job: TransferJob) async throws {
        switch snapshot.state {
        case .completed:
            let job = try await Self.named(job, snapshot, home)
            try await log.tell(document(.done, job, snapshot), line: job.isNamed ? Self.line(snapshot, job) : nil)
        case .paused(.signInNeeded):
            try await log.tell(document(.paused, job, snapshot), line: nil, complaint: WhoamiCommand.nobody)
        case .paused(.user):
            // Somebody did so while this command waited for it, which then has not done what it was to do.
            let id = ShortId.of(snapshot.id, among: [snapshot.id])
            let complaint = Complaint(
                .held, "\(job.label) is not complete: it was paused.",
                remedy: "“bothy transfers resume \(id)” resumes it.", status: .failed)
            try await log.tell(
                document(.paused, job, snapshot, reason: PauseReason.user.words), line: nil, complaint: complaint)
        case .paused(let reason):
            try await log.tell(document(.paused, job, snapshot, reason: reason.words), line: nil)
        case .canceled:
            let complaint = Complaint(
                code: FailureCode.canceled.rawValue, message: "\(job.label) was canceled.", status: .failed)
            try await log.tell(document(.failed, job, snapshot), line: nil, complaint: complaint)
        default:
            var failure = snapshot.failure ?? ClientFailure(.refused, "It failed for an unknown reason.")
            if let held = TransferWords.held(byFailed: snapshot) { failure.remedy += " \(held)" }
            try await log.tell(
                document(.failed, job, snapshot), line: nil, complaint: Complaint(failure, about: job.label))
        }
    }

    /// The job with the path that the server knows.
    private static func named(
        _ job: TransferJob, _ snapshot: TransferSnapshot, _ home: DeviceHome
    ) async throws -> TransferJob {
        guard job.pathIsOpen, let id = snapshot.remoteFileId else { return job }
        var named = job
        var finder = RemotePathFinder(home: home)
        named.path = try await finder.path(ofId: id) ?? job.path
        return named
    }

    private static func line(_ snapshot: TransferSnapshot, _ job: TransferJob) -> String {
        let size = ByteText.text(snapshot.bytesTotal ?? snapshot.bytesDone) + (TransferWords.carried(snapshot) ?? "")
        return snapshot.direction == .upload
            ? "\(job.local) → \(job.path)  \(size)" : "\(job.path) → \(job.local)  \(size)"
    }

    private func document(
        _ event: TransferDocument.Event, _ job: TransferJob, _ snapshot: TransferSnapshot? = nil, reason: String? = nil
    ) -> TransferDocument {
        TransferDocument(
            event: event, direction: snapshot?.direction ?? job.direction, local: job.local, path: job.path,
            transferId: snapshot?.id, fileId: snapshot?.remoteFileId, revisionId: snapshot?.remoteRevisionId,
            size: snapshot?.bytesTotal ?? job.size, bytesCarried: snapshot?.bytesCarried, sha256: snapshot?.checksum,
            reason: reason)
    }
}

extension ProgressItem {
    init(_ snapshot: TransferSnapshot, label: String) {
        self.init(
            label: label, phase: Phase(snapshot.state), done: snapshot.bytesDone, total: snapshot.bytesTotal)
    }
}

extension ProgressItem.Phase {
    init(_ state: TransferState) {
        switch state {
        case .queued: self = .waiting
        case .preparing: self = .preparing
        case .transferring: self = .transferring
        case .verifying: self = .verifying
        case .paused(let reason): self = .held(reason.words)
        case .completed: self = .done
        case .failed, .canceled: self = .failed
        }
    }
}
