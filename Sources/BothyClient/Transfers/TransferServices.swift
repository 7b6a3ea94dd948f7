import BothyContract

/// What a runner acts with.
package struct TransferServices: Sendable {
    package let store: TransferStore
    package let uploads: UploadsRemoteSource
    package let content: ContentRemoteSource
    package let receiving: RateLimit
    package let environment: ClientEnvironment
    let smallUploads: SmallUploads
    let smallDownloads: SmallDownloads
    /// Of files that are read for their hash first, and wait for no others.
    let sessionStarts: SmallUploads
    /// Where runners and their steps run.
    package let executor: LoopExecutor
    /// Reads files that fit one request, one after the other: a thread for each would be woken for microseconds.
    let smallReads = DiskQueue("small reads")
    let disk: TransferDisk
    /// Tells what a transfer is like now.
    package var tell: @Sendable (TransferSnapshot) async -> Void

    package init(
        store: TransferStore, uploads: UploadsRemoteSource, content: ContentRemoteSource, receiving: RateLimit,
        environment: ClientEnvironment, tell: @escaping @Sendable (TransferSnapshot) async -> Void
    ) {
        self.store = store
        self.uploads = uploads
        self.content = content
        self.receiving = receiving
        self.environment = environment
        disk = TransferDisk(environment.disk)
        self.tell = tell
        executor = LoopExecutor()
        smallUploads = SmallUploads(uploads, on: executor)
        smallDownloads = SmallDownloads(content, receiving: receiving, on: executor)
        sessionStarts = SmallUploads(uploads, on: executor)
    }

    package var clock: any ClientClock { environment.clock }

    /// Waits as a failure deserves.
    package func backOff(_ failure: TransferFailure, failures: Int) async throws {
        try await clock.sleep(
            seconds: RetryPolicy.delay(after: failure, failures: failures, chance: environment.chance()))
    }
}

/// A transfer that runs in this process.
package protocol TransferRunner: Sendable {
    /// Goes on until the transfer rests, and its record says so.
    func run() async -> TransferEnd
    func ask(_ wish: TransferWish)
}

/// How a run of a transfer came to rest.
package struct TransferEnd: Sendable {
    package var record: TransferRecord
    package var bytesMoved: Int64
    /// What the server said that an upload has become; nil where it did not say all of it.
    package var file: File?

    package var snapshot: TransferSnapshot {
        var snapshot = record.snapshot
        snapshot.bytesMoved = bytesMoved
        return snapshot
    }
}
