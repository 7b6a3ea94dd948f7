import BothyClient
import BothyContract

/// What is under way about one place: what was typed about it and waits, in its order, and transfers that are not over.
struct WhyWaiting {
    private(set) var operations: [(operation: JournalOperation, path: RemotePath?, origin: RemotePath?)] = []
    private(set) var transfers: [TransferSnapshot] = []
    /// Where their files are here, or will be.
    private var places: [String] = []

    /// - Parameters:
    ///   - place: on the server; nil where it has none.
    ///   - local: of a file in a synced folder, where it is here.
    ///   - isWithBelow: whether what waits of anything in it is told, too.
    init(
        _ file: ReplicaFile?, at place: RemotePath?, local: String? = nil, isWithBelow: Bool = false,
        in home: DeviceHome
    ) async throws {
        let id = file?.serverId
        transfers = try await home.transfers.list().filter { transfer in
            !transfer.state.isOver && (id != nil && transfer.remoteFileId == id || transfer.localPath == local)
        }
        let finder = try await TransferPlaces(home: home)
        for transfer in transfers { places.append(try await finder.place(of: transfer)) }
        guard let place else { return }
        let waiting = try await home.replica.operations().filter { $0.state != .acknowledged }
        for placed in try await home.replica.placed(waiting) {
            // What was moved away, or put into the trash, is asked about under the name that it had.
            let (operation, path, origin) = (placed.operation, placed.destination, placed.origin)
            let isBelow = isWithBelow && [path, origin].contains { $0?.lies(below: place) ?? false }
            guard path == place || origin == place || operation.subject == file?.luid || isBelow else { continue }
            operations.append((operation, path, origin))
        }
    }

    var lines: [String] {
        var lines = operations.isEmpty ? [] : ["", "  waiting to be sent:"]
        lines += operations.flatMap { operation, path, origin in
            let words = OperationWords(operation: operation, path: path, origin: origin)
            let line = "  \(operation.id)  \(words.deed): \(words.standing)"
            return [line] + [words.remedy].compactMap { $0.map { "     \($0)" } }
        }
        if !transfers.isEmpty { lines += ["", "  being transferred:"] }
        lines += transfers.map { transfer in
            let way = transfer.direction == .upload ? "up" : "down"
            return "  \(way), \(TransferWords.progress(transfer)): \(TransferWords.state(transfer.state))"
        }
        return lines
    }

    var documents: [OperationDocument] {
        operations.map { OperationDocument($0.operation, path: $0.path, origin: $0.origin) }
    }
    var transferDocuments: [TransferRecordDocument] {
        zip(transfers, places).map { TransferRecordDocument($0, at: $1) }
    }
}
