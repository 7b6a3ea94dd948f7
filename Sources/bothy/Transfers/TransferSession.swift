import BothyClient
import BothyContract

/// One command that moves bytes, from the first drawing to the last line.
struct TransferSession: Sendable {
    let home: DeviceHome
    let display: ProgressDisplay
    let log: TransferLog
    let queue: TransferQueue
    /// It is there until the server is, and all is done.
    let waits: Bool
    /// What it wrote down, and waits for.
    let kept: KeptPuts
    /// Files that cannot be sent now.
    let later: LaterPuts

    /// Opens the home, lets the work hand out transfers, waits for them, and says how all of it ended.
    ///
    /// - Parameters:
    ///   - work: adds jobs to the queue; when it ends, all jobs are known.
    /// - Throws: a `Complaint` or `Finished` whose status is the command's, unless everything was done.
    static func run(
        _ output: OutputOptions, _ options: TransferOptions, waits: Bool = false,
        _ work: @escaping @Sendable (TransferSession) async throws -> Void
    ) async throws {
        let isWaiting = try await Home.using(ending: OfflineEnding(output: output)) { home in
            options.apply(to: home)
            let terminal = Terminal()
            let style: ProgressDisplay.Style =
                output.quiet || output.json ? .silent : terminal.errorIsTerminal ? .drawn : .plain
            let display = ProgressDisplay(terminal: terminal, style: style)
            let log = TransferLog(output: output, display: display)
            let queue = TransferQueue(home: home, display: display, log: log)
            let kept = KeptPuts(home: home, log: log)
            let session = TransferSession(
                home: home, display: display, log: log, queue: queue, waits: waits, kept: kept,
                later: LaterPuts(home: home, log: log, kept: waits ? kept : nil))
            try await HomeAgent.attended(home) { try await session.guarded(work) }
            return await log.tally.paused > 0
        }
        if isWaiting { throw Finished(status: .queued) }
    }

    private func guarded(_ work: @escaping @Sendable (TransferSession) async throws -> Void) async throws {
        let ticker = Task { [display] in
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(250))
                await display.tick()
            }
        }
        defer { ticker.cancel() }
        do {
            try await Interruption.guarding { [self] in
                do {
                    try await work(self)
                    try await later.finish()
                    try Task.checkCancellation()
                    try await withTaskCancellationHandler {
                        try await queue.finish()
                    } onCancel: {
                        Task { await home.transfers.stop() }
                    }
                } catch {
                    // Whatever a stopped request fails with, what happened is that it was stopped.
                    if Task.isCancelled { throw CancellationError() }
                    throw error
                }
                try Task.checkCancellation()
            }
        } catch is CancellationError {
            try await queue.stop()
            throw await stopped()
        } catch {
            // What was begun before it is not lost: it waits.
            try await queue.stop()
            await display.end()
            throw error
        }
        if waits, !home.files.reach.recorded.isEmpty { try await waitForServer() }
        try await end()
    }

    /// From here on Ctrl-C ends the command at once: what waits is in the journal.
    private func waitForServer() async throws {
        await display.end()
        do {
            try await ServerWait(home: home) { [log] words in await log.note(words) }.run { held in
                try await kept.tell(held)
            }
        } catch let failure as ClientFailure {
            guard await kept.hasFailed else { throw failure }
        }
    }

    private func end() async throws {
        let tally = await log.tally
        let status = tally.status
        let several = tally.done + tally.unchanged + tally.failed + tally.leftOut + tally.skipped + tally.paused > 1
        let isOfFolder = await log.isOfFolder
        try await log.summarize(several || isOfFolder ? tally.words(seconds: await display.elapsed) : nil)
        if await log.hasSent, let drive = DriveWords(try await home.transfers.driveParameters()) {
            await log.advise(drive.words, remedy: DriveWords.remedy)
        }
        guard status == .done else { throw Finished(status: status) }
    }

    private func stopped() async -> Complaint {
        await display.end()
        let waiting = await log.waiting
        let tally = await log.tally
        // Stopping here does not stop what another process of this device moves. What cannot be read now is told as waiting.
        let others = (try? await home.transfers.countElsewhere(of: waiting)) ?? 0
        let left = tally.paused - others
        var message = "Stopped."
        if left > 0 { message += " \(TransferTally.files(left)) not complete yet; what has arrived is kept." }
        if others > 0 { message += " Another command on this device continues with \(TransferTally.files(others))." }
        var remedy = "Run the same command again to \(left > 0 ? "resume" : "do the rest")"
        if left == 0, others > 0 {
            remedy = "“bothy transfers” shows how far it is"
        } else if let first = waiting.first, tally.paused == 1 {
            remedy += ", or “bothy transfers resume \(ShortId.of(first, among: waiting))”"
        } else if left > 1 {
            remedy += ", or “bothy transfers resume --all”"
        }
        return Complaint(.interrupted, message, remedy: remedy + ".", status: .interrupted)
    }
}

/// A command that has said everything already, and only has its status left to give.
struct Finished: Error {
    var status: ExitStatus
}
