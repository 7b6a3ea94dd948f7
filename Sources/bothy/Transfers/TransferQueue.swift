import BothyClient
import BothyContract

/// Runs a command's transfers: handed over in batches, shown while they run, told of when they rest.
///
/// The producer waits while enough is under way, so that a folder of a million files is never held whole.
actor TransferQueue {
    /// Files handed to the device's database at once: one durable write for all of them.
    private static let batchSize = 64
    /// Batches under way: the next are ready while the last file of an earlier one is still on its way.
    private static let mostBatches = 10

    private let home: DeviceHome
    private let display: ProgressDisplay
    private let log: TransferLog
    private var batch: [TransferJob] = []
    private var running: [Task<Void, any Error>] = []

    init(home: DeviceHome, display: ProgressDisplay, log: TransferLog) {
        self.home = home
        self.display = display
        self.log = log
    }

    func add(_ job: TransferJob) async throws {
        await display.expect(files: 1, bytes: job.size ?? 0)
        batch.append(job)
        if batch.count >= Self.batchSize { try await handOver() }
    }

    /// Waits until everything rests.
    func finish() async throws {
        await display.expectNothingMore()
        try await handOver()
        try await drain()
    }

    /// Stops what runs here; each transfer waits to be gone on with, and is told of.
    func stop() async throws {
        batch = []
        await home.transfers.stop()
        try await drain()
    }

    private func drain() async throws {
        while !running.isEmpty { try await running.removeFirst().value }
    }

    private func handOver() async throws {
        guard !batch.isEmpty else { return }
        let jobs = batch
        batch = []
        while running.count >= Self.mostBatches { try await running.removeFirst().value }
        try Task.checkCancellation()
        running.append(
            Task { [home, display, log] in
                try await TransferBatch(home: home, display: display, log: log).run(jobs)
            })
    }
}
