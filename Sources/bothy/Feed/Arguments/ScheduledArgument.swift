import BothyClient
import BothyContract

/// A post that waits for its time at the server, as somebody types it: its number, or the last digits of it.
enum ScheduledArgument {
    static func find(_ argument: String, in home: DeviceHome) async throws -> Int64 {
        guard EndingDigits.areDigits(argument) else {
            throw Complaint.usage(
                "“\(argument)” is not a scheduled post.",
                remedy: "Give the number that “bothy feed scheduled” shows beside it.")
        }
        return try EndingDigits.find(
            argument, among: try await home.scheduledPosts.all().value.map(\.scheduledId),
            ("scheduled post", "scheduled posts"), list: "bothy feed scheduled")
    }
}
