import ArgumentParser
import BothyClient

/// The transfers that a command is about: by their ids, or all.
struct TransferSelection: ParsableArguments {
    @Argument(help: "Ids as “bothy transfers” shows them.")
    var ids: [String] = []

    @Flag(help: "All transfers.")
    var all = false

    func validate() throws {
        if ids.isEmpty == !all { throw ValidationError("Give the ids of transfers, or --all.") }
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
                    .notThere, "There is no running or waiting transfer “\(typed)”.",
                    remedy: "“bothy transfers” lists them.", status: .notThereOrInConflict)
            }
        }
    }
}
