import BothyClient
import BothyContract

/// A place in the feed as somebody types it: a post by its number or the last digits of it, or the number of an entry that a list printed.
enum EntryArgument {
    /// - Returns: an entry of the feed that is kept here.
    /// - Throws: a `Complaint` for what is no post, and for a post that is not in that feed.
    static func find(_ argument: String, in home: DeviceHome) async throws -> Int64 {
        if EndingDigits.areDigits(argument), let number = Int64(argument),
            let entry = try await home.feed.entry(number)
        {
            return entry
        }
        let post = try await PostArgument.find(argument, in: home)
        guard let entry = try await home.feed.entry(post) else {
            throw Complaint(
                .notThere, "The post \(PostWords.digits(post)) is not in the feed on this device.",
                remedy: "Give the digits of a post that “bothy feed” lists.", status: .notThereOrInConflict)
        }
        return entry
    }
}
