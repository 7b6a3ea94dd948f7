import BothyClient
import BothyContract

/// A draft as somebody types it: its number, or the last digits of it.
enum DraftArgument {
    static func find(_ argument: String, in home: DeviceHome) async throws -> Draft {
        guard !argument.isEmpty, argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Complaint.usage(
                "“\(argument)” is not a draft.", remedy: "Give the digits that “bothy feed drafts” shows beside it.")
        }
        let numbers = try await home.drafts.all().value.map(\.draftId)
        // A whole number that is the end of another one means itself.
        let found =
            Int64(argument).flatMap { numbers.contains($0) ? [$0] : nil }
            ?? numbers.filter { String($0).hasSuffix(argument) }
        switch found.count {
        case 1: return try await home.drafts.draft(found[0])
        case 0:
            throw Complaint(
                .notThere, "No draft ends in \(argument).", remedy: "“bothy feed drafts” lists those that are there.",
                status: .notThereOrInConflict)
        default:
            throw Complaint(
                .ambiguous, "\(found.count) drafts end in \(argument).",
                remedy: "Give more of its digits: \(found.map(String.init).joined(separator: ", ")).",
                status: .notThereOrInConflict)
        }
    }
}
