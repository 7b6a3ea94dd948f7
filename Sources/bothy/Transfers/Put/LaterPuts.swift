import BothyClient
import BothyContract

/// Files that `put` writes down to be sent later: the home keeps a copy of each, and many are written down at once.
actor LaterPuts {
    struct Put: Sendable {
        /// Absolute.
        var source: ReplicaEngine.LaterPut
        /// As it was typed, or found in a folder.
        var local: String
        var path: RemotePath
        /// Bytes.
        var size: Int64
        var isNamed: Bool
        /// It is all that the command puts: what keeps it from being kept ends the command.
        var isAlone = false
    }

    /// Files that are written down at once.
    private static let batchSize = 64

    private let home: DeviceHome
    private let log: TransferLog
    /// Hears of each where the command waits for the server.
    private let kept: KeptPuts?
    private var batch = [Put]()

    init(home: DeviceHome, log: TransferLog, kept: KeptPuts?) {
        self.home = home
        self.log = log
        self.kept = kept
    }

    func add(_ put: Put) async throws {
        batch.append(put)
        if put.isAlone || batch.count >= Self.batchSize { try await finish() }
    }

    /// Writes down what was gathered. What cannot be kept is told of; the others go on.
    func finish() async throws {
        let puts = batch
        batch = []
        guard !puts.isEmpty else { return }
        let results = try await home.replica.put(puts.map(\.source))
        for (put, result) in zip(puts, results) {
            switch result {
            case .success(let operation): try await tell(put, operation)
            case .failure(let failure):
                guard !put.isAlone, !Self.concernsAll(failure.code) else { throw Complaint(failure, about: put.local) }
                try await log.tell(
                    document(.failed, put), line: nil, complaint: Complaint(failure, about: put.local))
            }
        }
    }

    /// What stands in the way of every file alike: told once, and the command ends.
    private static func concernsAll(_ code: FailureCode) -> Bool {
        switch code {
        case .homeUnusable, .homeNewer, .diskFull: true
        default: false
        }
    }

    /// Tells of one that is written down.
    func tell(_ put: Put, _ operation: JournalOperation) async throws {
        home.files.reach.record(operation.id)
        await kept?.keep(operation, put.local, put.path, put.size, isNamed: put.isNamed)
        var document = document(.paused, put)
        document.reason = Self.reason
        try await log.tell(document, line: put.isNamed ? "\(put.local) → \(put.path)  kept here" : nil)
    }

    static let reason = "it will be uploaded when there is a connection"

    private func document(_ event: TransferDocument.Event, _ put: Put) -> TransferDocument {
        TransferDocument(
            event: event, direction: .upload, local: put.local, path: put.path.text, size: put.size)
    }
}
