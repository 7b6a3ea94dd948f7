import BothyClient
import BothyContract

/// Two people of one server, as each sees its feed. A device's feed and that of a server's own web app come to the same.
package struct PostsConformance {
    /// One person's.
    package struct Side: Sendable {
        package var you: Int64
        package var posts: any PostsRepository
        package var people: any PeopleRepository

        package init(you: Int64, posts: any PostsRepository, people: any PeopleRepository) {
            self.you = you
            self.posts = posts
            self.people = people
        }
    }

    private let (ann, ben): (Side, Side)

    package init(_ ann: Side, _ ben: Side) { (self.ann, self.ben) = (ann, ben) }

    package func run() async throws {
        try await peopleAreFollowed()
        try await whatIsPostedIsInTheFeedsOfWhoFollows()
        try await whatPeopleDoCountsOncePerPerson()
        try await pagesAreWholeWhateverTheirSize()
        try await commentsFormThreads()
        try await onlyTheAuthorsOfACommentOrItsPostDeleteIt()
        try await whatIsEditedSaysSoAndKeepsWhatItSaid()
        try await onlyWhoWroteItDeletesIt()
        try await whatCameIsCounted()
    }

    private func whatCameIsCounted() async throws {
        let page = try await ann.posts.feed(after: nil, limit: 10)
        let now = try await ann.posts.arrivals(since: nil)
        try expect(now.count == 0 && now.arrival == page.arrival, "the page has all of it: \(now)")
        _ = try await ben.posts.publish(NewPostRequest(requestId: "came", content: "<p>came</p>"))
        let later = try await ann.posts.arrivals(since: page.arrival)
        try expect(later.count == 1 && !later.hasMore, "\(later)")
        try expect(try await ann.posts.arrivals(since: later.arrival).count == 0, "nothing since")
        try await refused(.refused) { _ = try await ann.posts.arrivals(since: "made-up") }
    }

    private func whatIsEditedSaysSoAndKeepsWhatItSaid() async throws {
        let post = try await ben.posts.feed(after: nil, limit: 1).posts[0]
        let edit = EditPostRequest(
            requestId: "e1", baseVersion: post.version, content: "<p>anew <b>x</b></p>", contentWarning: "Steep")
        try await ben.posts.edit(post.postId, edit)
        let read = try await ben.posts.edit(post.postId, edit)
        try expect(
            read.version == post.version + 1 && read.content == "<p>anew <strong>x</strong></p>", "once: \(read)")
        try expect(try await ann.posts.post(post.postId).post.editedAt != nil, "says so")
        let listed = try await ben.posts.feed(after: nil, limit: 1).posts[0]
        try expect(listed.contentSummary == read.content && listed.contentWarning == "Steep", "in the feed: \(listed)")
        let history = try await ann.posts.history(of: post.postId)
        try expect(history.map(\.content) == [read.content, post.contentSummary], "\(history)")
        try expect(history.map(\.contentWarning) == ["Steep", nil], "\(history)")
        try await refused(.refused) {
            _ = try await ben.posts.edit(
                post.postId, EditPostRequest(requestId: "e2", baseVersion: post.version, content: "<p>late</p>"))
        }
        try await refused(.refused) {
            _ = try await ann.posts.edit(
                post.postId, EditPostRequest(requestId: "e3", baseVersion: read.version, content: "<p>hers</p>"))
        }
        try await refused(.notFound) { _ = try await ann.posts.history(of: 1) }
    }

    private func peopleAreFollowed() async throws {
        try expect(try await ann.people.page(after: nil, limit: 10).people.count == 2, "two people")
        try await ann.people.setFollowing(true, ben.you)
        try await ann.people.setFollowing(true, ben.you)
        try expect(try await ann.people.person(ben.you).value.following, "followed")
        try expect(try await ben.people.person(ann.you).value.followsYou, "follows")
        try await refused(.refused) { try await ann.people.setFollowing(true, ann.you) }
        try await refused(.notFound) { _ = try await ann.people.person(1) }
    }

    private func whatIsPostedIsInTheFeedsOfWhoFollows() async throws {
        let request = NewPostRequest(requestId: "one", content: "<p>one <b>two</b><script>x</script></p>")
        _ = try await ben.posts.publish(request)
        _ = try await ben.posts.publish(request)
        let feed = try await ann.posts.feed(after: nil, limit: 10)
        try expect(feed.posts.map(\.contentSummary) == ["<p>one <strong>two</strong></p>"], "\(feed)")
        try expect(try await ben.posts.feed(after: nil, limit: 10).posts.count == 1, "once")
        _ = try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>mine</p>"))
        try expect(try await ben.posts.feed(after: nil, limit: 10).posts.count == 1, "not followed")
        try expect(try await ann.posts.feed(after: nil, limit: 10).posts.count == 2, "mine")
        try await refused(.refused) {
            _ = try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p></p>"))
        }
    }

    private func whatPeopleDoCountsOncePerPerson() async throws {
        let id = try await ben.posts.feed(after: nil, limit: 1).posts[0].postId
        for interaction in [PostInteraction.liked, .liked, .bookmarked, .removedLike, .liked] {
            try await ann.posts.interact(interaction, with: id)
        }
        let read = try await ann.posts.post(id).post
        try expect(read.liked && read.likeCount == 1 && read.bookmarked, "\(read)")
        let theirs = try await ben.posts.post(id).post
        try expect(!theirs.liked && theirs.likeCount == 1 && !theirs.bookmarked, "\(theirs)")
        try expect(try await ann.posts.bookmarks(after: nil, limit: 9).posts.map(\.postId) == [id], "bookmarked")
        try expect(try await ben.posts.bookmarks(after: nil, limit: 9).posts.isEmpty, "hers alone")
    }

    private func pagesAreWholeWhateverTheirSize() async throws {
        for number in 0..<7 {
            _ = try await ben.posts.publish(NewPostRequest(requestId: "n\(number)", content: "<p>\(number)</p>"))
        }
        let whole = try await ann.posts.feed(after: nil, limit: 50).posts.map(\.postId)
        for limit in 1...4 {
            var (ids, place) = ([Int64](), String?.none)
            repeat {
                let page = try await ann.posts.feed(after: place, limit: limit)
                ids += page.posts.map(\.postId)
                place = page.next
                try expect(ids.count <= whole.count, "by \(limit) it goes on for ever: \(ids)")
            } while place != nil
            try expect(ids == whole, "by \(limit): \(ids) and not \(whole)")
            try await pagesGoUp(by: limit, to: whole)
        }
    }

    /// - Parameter whole: all posts, the newest first.
    private func pagesGoUp(by limit: Int, to whole: [Int64]) async throws {
        let oldest = try await ann.posts.feed(after: nil, limit: 50).posts.map(\.entryId).min() ?? 0
        var (ids, next) = ([Int64](), Int64?(oldest))
        while let entry = next {
            let page = try await ann.posts.feed(above: entry, limit: limit)
            ids = page.posts.map(\.postId) + ids
            next = page.newer
            try expect(ids.count < whole.count, "by \(limit) it goes up for ever: \(ids)")
        }
        try expect(ids == whole.dropLast(), "up by \(limit): \(ids) and not \(whole.dropLast())")
    }

    private func onlyWhoWroteItDeletesIt() async throws {
        let id = try await ben.posts.feed(after: nil, limit: 1).posts[0].postId
        try await refused(.refused) { try await ann.posts.delete(id) }
        try expect(try await ann.posts.post(id).post.postId == id, "still there")
        try await ben.posts.delete(id)
        try await refused(.notFound) { _ = try await ann.posts.post(id) }
        try expect(!(try await ann.posts.feed(after: nil, limit: 50).posts.map(\.postId).contains(id)), "gone")
    }

    private func texts(_ page: CommentPage) -> [String] {
        page.comments.map { PostText(html: $0.content).plain }
    }

    private func commentsFormThreads() async throws {
        let post = try await ben.posts.feed(after: nil, limit: 1).posts[0].postId
        let first = NewCommentRequest(requestId: "c1", content: "<p>one <script>x</script></p>")
        _ = try await ann.posts.comment(first, on: post)
        _ = try await ann.posts.comment(first, on: post)
        _ = try await ben.posts.comment(NewCommentRequest(requestId: "c2", content: "<p>two</p>"), on: post)
        let one = try await ben.posts.comments(on: post, after: nil, limit: 10).comments[0].commentId
        for text in ["three", "four"] {
            let reply = NewCommentRequest(requestId: text, content: "<p>\(text)</p>", parentCommentId: one)
            _ = try await ben.posts.comment(reply, on: post)
        }
        let whole = try await ann.posts.comments(on: post, after: nil, limit: 10)
        try expect(texts(whole) == ["one", "three", "four", "two"], "threads: \(texts(whole))")
        try expect(whole.comments.map { $0.threadId == one } == [true, true, true, false], "\(whole)")
        try expect(try await ann.posts.post(post).post.commentCount == 4, "counted")
        try expect(try await ann.posts.feed(after: nil, limit: 1).posts[0].commentCount == 4, "counted in the feed")
        var (paged, place) = ([String](), String?.none)
        repeat {
            let page = try await ann.posts.comments(on: post, after: place, limit: 3)
            paged += texts(page)
            place = page.next
        } while place != nil && paged.count < 9
        try expect(paged == texts(whole), "in pages: \(paged)")
        for empty in ["", "<p> </p>", "<script>x</script>"] {
            try await refused(.refused) {
                _ = try await ann.posts.comment(NewCommentRequest(requestId: nil, content: empty), on: post)
            }
        }
        try await refused(.notFound) {
            let lost = NewCommentRequest(requestId: nil, content: "<p>a</p>", parentCommentId: 1)
            _ = try await ann.posts.comment(lost, on: post)
        }
    }

    private func onlyTheAuthorsOfACommentOrItsPostDeleteIt() async throws {
        let post = try await ben.posts.feed(after: nil, limit: 1).posts[0].postId
        let before = try await ann.posts.comments(on: post, after: nil, limit: 10).comments
        // Ann wrote the first one, Ben the post and all others.
        try await refused(.refused) { try await ann.posts.deleteComment(before[3].commentId, on: post) }
        try await ben.posts.deleteComment(before[0].commentId, on: post)
        let after = try await ann.posts.comments(on: post, after: nil, limit: 10)
        try expect(texts(after) == ["three", "four", "two"], "\(texts(after))")
        try expect(after.comments.map(\.parentDeleted) == [true, true, nil], "replies stay, and say so: \(after)")
        try expect(try await ann.posts.post(post).post.commentCount == 3, "counted")
        try await refused(.notFound) { try await ben.posts.deleteComment(before[0].commentId, on: post) }
    }

    // MARK: - Asking

    private func refused(_ code: FailureCode, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as ClientFailure where failure.code == code {
            return
        }
        throw ClientFailure(.unexpected, "Not refused with \(code).")
    }

    private func expect(_ holds: Bool, _ words: String) throws {
        if !holds { throw ClientFailure(.unexpected, "Does not hold: \(words)") }
    }
}
