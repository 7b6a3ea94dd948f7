import ArgumentParser
import BothyClient

/// The transfers that a command is about: by their ids, or all.
struct TransferSelection: ParsableArguments {
    @Argument(help: "Ids as “bothy transfers” shows them.")
    var ids: [String] = []

    @Flag(help: "All of them.")
    var all = false

    func validate() throws {
        if ids.isEmpty == !all { throw ValidationError("Say which transfers by their ids, or --all.") }
    }

    /// - Parameter included: which of them `--all` means.
    func find(_ home: DeviceHome, included: (TransferSnapshot) -> Bool) async throws -> [TransferSnapshot] {
        try await home.endLeftOverUploads()
        let known = try await home.transfers.list()
        if all { return known.filter(included) }
        return try ids.map { typed in
            switch ShortId.find(typed, in: known.map(\.id)) {
            case .one(let index): return known[index]
            case .several:
                throw Complaint(
                    .ambiguous, "“\(typed)” is more than one transfer.", remedy: "Give more of its id.",
                    status: .wrongUsage)
            case .none:
                throw Complaint(
                    .notThere, "There is no transfer “\(typed)” under way or waiting.",
                    remedy: "See them with “bothy transfers”.", status: .notThereOrInConflict)
            }
        }
    }
}
