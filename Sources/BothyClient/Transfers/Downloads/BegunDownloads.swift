/// Downloads of this device that have not ended, by where they go.
package struct BegunDownloads: Sendable {
    private let byDestination: [String: [DownloadTransfer]]

    init(_ transfers: [DownloadTransfer]) {
        byDestination = Dictionary(grouping: transfers, by: \.destinationPath)
    }

    /// The order under which one of them resumes: it may have been given with or without leave to replace.
    package func order(goingOnWith order: DownloadOrder) -> DownloadOrder? {
        byDestination[order.destination]?.lazy.compactMap { transfer in
            var again = order
            again.replacing = transfer.replacing
            return transfer.answers(again) ? again : nil
        }
        .first
    }
}

extension TransfersRepository {
    package func begunDownloads() async throws -> BegunDownloads {
        BegunDownloads(try await store.look { db in try DownloadTransferTable.all(over: false, in: db) })
    }
}
