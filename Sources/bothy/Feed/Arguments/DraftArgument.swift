import BothyClient
import BothyContract

/// A draft as somebody types it: its number, or the last digits of it.
enum DraftArgument {
    static func find(_ argument: String, in home: DeviceHome) async throws -> Draft {
        guard EndingDigits.areDigits(argument) else {
            throw Complaint.usage(
                "“\(argument)” is not a draft.", remedy: "Give the digits that “bothy feed drafts” shows beside it.")
        }
        let numbers = try await home.drafts.all().value.map(\.draftId)
        let number = try EndingDigits.find(argument, among: numbers, ("draft", "drafts"), list: "bothy feed drafts")
        return try await home.drafts.draft(number)
    }
}
