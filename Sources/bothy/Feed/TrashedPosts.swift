import BothyClient
import BothyContract

/// All deleted posts of a person, page by page.
struct TrashedPosts: AsyncSequence {
    let trash: any PostTrashRepository

    struct AsyncIterator: AsyncIteratorProtocol {
        let trash: any PostTrashRepository
        private var waiting = [TrashedPost]()
        private var next: String?
        private var isBegun = false

        init(trash: any PostTrashRepository) { self.trash = trash }

        mutating func next() async throws -> TrashedPost? {
            while waiting.isEmpty {
                if isBegun, next == nil { return nil }
                let page = try await trash.page(after: next, limit: FeedLimits.maximumPage)
                (waiting, next, isBegun) = (page.posts.reversed(), page.paging.next, true)
            }
            return waiting.popLast()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(trash: trash) }

    /// - Parameter digits: a post's number, or the last digits of it.
    func find(_ digits: String) async throws -> Int64 {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Complaint.usage(
                "“\(digits)” is not a post.", remedy: "Give the digits that “bothy feed trash” shows beside it.")
        }
        var found = [Int64]()
        for try await trashed in self where String(trashed.post.postId).hasSuffix(digits) {
            found.append(trashed.post.postId)
        }
        guard let first = found.first else {
            throw Complaint(
                .notThere, "No deleted post of yours ends in \(digits).",
                remedy: "“bothy feed trash” lists them with their digits.", status: .notThereOrInConflict)
        }
        guard found.count == 1 else {
            throw Complaint(
                .ambiguous, "\(found.count) deleted posts end in \(digits).",
                remedy: "Give more of its digits: \(found.map(String.init).joined(separator: ", ")).",
                status: .notThereOrInConflict)
        }
        return first
    }
}
