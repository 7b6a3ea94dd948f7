import BothyClient
import BothyContract

/// A comment as somebody types it: its number, or the last digits of it.
enum CommentArgument {
    /// The bound on pages, for a server that never ends.
    private static let mostPages = 1_000

    /// All comments on a post.
    static func all(of post: Int64, in home: DeviceHome) async throws -> CommentPage {
        var (all, place) = (CommentPage(comments: []), String?.none)
        for _ in 0..<mostPages {
            let page = try await home.posts.comments(on: post, after: place, limit: FeedLimits.maximumPage)
            all.comments += page.comments
            (all.waiting, all.unreached) = (page.waiting, page.unreached)
            place = page.next
            if place == nil { break }
        }
        return all
    }

    static func find(_ argument: String, of post: Int64, in home: DeviceHome) async throws -> Int64 {
        guard Int64(argument) != nil, argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Complaint.usage(
                "“\(argument)” is not a comment.", remedy: "Give the digits that “bothy feed show” prints beside it.")
        }
        let found = try await all(of: post, in: home).comments.map(\.commentId).filter {
            String($0).hasSuffix(argument)
        }
        switch found.count {
        case 1: return found[0]
        case 0:
            throw Complaint(
                .notThere, "No comment on this post ends in \(argument).",
                remedy: "“bothy feed show” lists them, with the digits of each.", status: .notThereOrInConflict)
        default:
            throw Complaint(
                .ambiguous, "\(found.count) comments end in \(argument).",
                remedy: "Give more of its digits: \(found.map(String.init).joined(separator: ", ")).",
                status: .notThereOrInConflict)
        }
    }
}
