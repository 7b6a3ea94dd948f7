import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// `/posts/{id}`: one post, and what is done with it.
struct PostDetailRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/posts/{id}", show), .form("/posts/{id}", delete), .form("/posts/{id}/act", interact),
            .form("/posts/{id}/comments", comment),
            .page("/posts/{id}/media", media), .page("/posts/{id}/gallery", gallery),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.postDetail()
        await holder.open(try visit.number(), commentsAfter: visit.query("after"))
        return try page(await holder.state, visit, commentsAfter: visit.query("after"))
    }

    /// - Parameters:
    ///   - place: where the comments that are shown begin; nil for the first.
    ///   - replyTo: the comment whose reply was refused.
    private func page(
        _ state: PostDetailState, _ visit: Visit, commentsAfter place: String?, replyTo: Int64? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        switch state.standing {
        case .gone(let notice):
            return writer.message(visit.words[.notFoundTitle], notice.text, visit: visit, status: .notFound)
        case .failed(let notice): return writer.failed(notice, visit: visit)
        case .fresh, .shown, .deleted: break
        }
        guard let post = state.post else { throw ClientFailure(.notFound, visit.words[.postGone]) }
        let title = visit.words.filled(.postBy, post.author.name)
        // Where what was answered is gone, the text comes back below the comments.
        let replyTo = state.comments.contains { $0.id == replyTo } ? replyTo : nil
        var context = Self.context(post, state, visit.words)
        context.merge(Self.comments(state, of: post, replyTo: replyTo, visit.words)) { $1 }
        context["after"] = place ?? ""
        context["events"] = NotificationRoutes.events(of: post.id, seen: post.marks)
        return writer.page(.postDetail, context, title: title, visit: visit, status: status)
    }

    private static func context(
        _ post: PostDetailState.Post, _ state: PostDetailState, _ words: Words
    ) -> [String: Any] {
        let link = Destination.post(post.id).link
        var context = PostContext.marks(post.marks, of: post.id, isYours: post.author.isYou, from: link)
        context.merge(PostContext.author(post.author, words)) { $1 }
        context["moment"] = post.moment
        context["reach"] = PostContext.reach(post.reach)
        context["canBeShared"] = post.reach.isForEveryone && !post.author.isYou
        context["moreOf"] = words.filled(.moreOf, post.author.name)
        context["createdAt"] = post.createdAt.rfc3339
        if let edited = post.edited { context["edited"] = edited }
        if let warning = post.warning { context["warning"] = warning }
        context["blocks"] = PostBlockView.all(of: post.text)
        context["hasMedia"] = !post.media.isEmpty
        context["media"] = post.media.map { medium in
            let original = "\(link)/media?of=\(medium.id)"
            var one: [String: Any] = [
                "source": medium.type == .video ? FilmQuality.address(of: original) : original,
                "isVideo": medium.type == .video, "original": original, "told": medium.words, "shown": original,
            ]
            if medium.hasPicture {
                one["picture"] = MediaQuality.high.address(of: original)
                one["shown"] = one["picture"]
            }
            if let caption = medium.caption { one["caption"] = caption }
            one.merge(PostContext.room(medium.room)) { $1 }
            return one
        }
        if let staleness = state.staleness { context["staleness"] = staleness }
        return context
    }

    private static func comments(
        _ state: PostDetailState, of post: PostDetailState.Post, replyTo: Int64?, _ words: Words
    ) -> [String: Any] {
        let link = Destination.post(post.id).link
        let refusal = state.notice?.tone == .failure ? state.notice?.text : nil
        let shown = state.comments.flatMap { comment -> [[String: Any]] in
            var one = PostContext.author(comment.author, words)
            one["commentId"] = comment.id
            one["date"] = comment.date
            one["moment"] = comment.moment
            one["createdAt"] = comment.createdAt.rfc3339
            one["blocks"] = PostBlockView.all(of: comment.text)
            one["isReply"] = comment.isReply
            if let replied = comment.replied { one["replied"] = replied }
            one["canBeDeleted"] = comment.canBeDeleted
            let answering = words.filled(.replyTo, comment.author.name)
            one["replyTo"] = answering
            one["requestId"] = UUID().uuidString.lowercased()
            one["isOpen"] = replyTo == comment.id
            if replyTo == comment.id, let refusal { one["replyRefusal"] = refusal }
            one["typed"] = replyTo == comment.id ? state.typedComment.markdown : ""
            one["html"] = replyTo == comment.id ? state.typedComment.html ?? "" : ""
            let replies = state.waitingReplies(to: comment.id)
            return [one] + replies.map { waiting($0, answering: answering, from: link) }
        }
        let others = state.otherWaitingComments.map { waiting($0, answering: nil, from: link) }
        var context: [String: Any] = [
            "requestId": UUID().uuidString.lowercased(),
            "hasComments": !state.comments.isEmpty || !state.waitingComments.isEmpty, "comments": shown + others,
        ]
        context["typed"] = replyTo == nil ? state.typedComment.markdown : ""
        context["html"] = replyTo == nil ? state.typedComment.html ?? "" : ""
        context["mostBytes"] = FeedLimits.maximumCommentBytes
        if let next = state.nextComments { context["nextPage"] = "\(link)?after=\(next)#comments" }
        if replyTo == nil, let refusal { context["refusal"] = refusal }
        return context
    }

    /// A comment of the reader's that waits, among the others.
    ///
    /// - Parameters:
    ///   - answering: whom it replies to; nil where it replies to nobody who is shown.
    ///   - link: the post.
    private static func waiting(_ row: WaitingRow, answering: String?, from link: String) -> [String: Any] {
        var context = PostContext.waiting(row, from: "\(link)#comments")
        context["waits"] = true
        context["isReply"] = row.parent != nil
        if let answering { context["answering"] = answering }
        return context
    }

    /// A comment is written, deleted, or, where it waits, sent again or discarded. The page returns to the place where it was done.
    @Sendable private func comment(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let (id, holder) = (try visit.number(), await visit.postDetail())
        let chosen = form["comment"].flatMap { Int64($0) }
        let after = form["after"].flatMap { $0.isEmpty ? nil : $0 }
        if form["act"] == "delete", let chosen {
            await holder.deleteComment(chosen, on: id)
        } else {
            await holder.comment(form.written, on: id, replyingTo: chosen, requestId: form["request"])
        }
        let state = await holder.state
        if visit.wantsData { return try sent(state.notice, visit) }
        if state.notice?.tone == .failure, !state.typedComment.isEmpty {
            // The text comes back with the reason, to be sent again.
            await holder.open(id, commentsAfter: after)
            let state = await holder.state
            return try page(state, visit, commentsAfter: after, replyTo: chosen, status: .unprocessableContent)
        }
        let place = form["act"] == "delete" ? "comments" : chosen.map { "comment-\($0)" } ?? "write"
        // What is a page further on is not on the first one.
        let address = Destination.post(id).link + (after.map { "?after=\(Self.escaped($0))" } ?? "")
        return writer.redirect(to: "\(address)#\(place)", visit: visit, saying: state.notice)
    }

    /// What a form said is no more of an address than one value.
    private static func escaped(_ value: String) -> String {
        // Letters and digits alone stay as they are, so it is never nil.
        value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The bytes of an attachment, by its id (“of”) or its place (“at”); without both, of the first one that has a picture.
    @Sendable private func media(_ visit: Visit) async throws -> Response {
        let asked = visit.query("of")
        let attachment = asked.flatMap { Int64($0) }
        guard asked == nil || attachment != nil else { throw ClientFailure(.notFound, visit.words[.notFoundLead]) }
        let (post, posts) = (try visit.number(), visit.person.posts)
        var wanted = attachment
        if let place = visit.query("at").flatMap({ Int($0) }) {
            wanted = try await Self.attachment(at: place, of: post, posts, visit.words)
        }
        let place = try await posts.media(wanted, of: post, visit.quality)
        return try await ContentResponse.make(place, visit, writer)
    }

    /// - Returns: nil for the first one of a post that was never read whole here.
    private static func attachment(
        at place: Int, of post: Int64, _ posts: any PostsRepository, _ words: Words
    ) async throws -> Int64? {
        do {
            let read = try await posts.post(post)
            if read.isBeginning, let unreached = read.unreached { throw unreached }
            let all = read.post.attachments
            guard all.indices.contains(place) else { throw ClientFailure(.notFound, words[.notFoundLead]) }
            return all[place].id
        } catch let failure as ClientFailure where failure.code == .offline && place == 0 {
            return nil
        }
    }

    /// What a post shows, for the viewer.
    @Sendable private func gallery(_ visit: Visit) async throws -> Response {
        let holder = await visit.postDetail()
        await holder.open(try visit.number())
        guard let post = await holder.state.post else { throw ClientFailure(.notFound, visit.words[.postGone]) }
        let items = post.media.map { medium in
            let source = Destination.post(post.id).link + "/media?of=\(medium.id)"
            let high = MediaQuality.high.address(of: source)
            return ViewedMedium(
                kind: medium.type,
                source: medium.type == .video
                    ? FilmQuality.address(of: source) : medium.hasPicture ? high : source, original: source,
                poster: medium.type == .video && medium.hasPicture ? high : nil, caption: medium.caption ?? "",
                name: medium.words)
        }
        let asked = visit.query("at").flatMap { Int($0) } ?? 0
        return try writer.data(ViewedMedia(at: asked, items: items), visit: visit)
    }

    @Sendable private func interact(_ visit: Visit, _ form: FormBody) async throws -> Response {
        guard let interaction = form["act"].flatMap({ PostInteraction(rawValue: $0) }) else {
            throw ClientFailure(.refused, visit.words[.failedTitle])
        }
        let holder = await visit.postDetail()
        await holder.interact(interaction, with: try visit.number())
        let notice = await holder.state.notice
        if visit.wantsData { return try sent(notice, visit) }
        guard visit.wantsFragments else {
            return writer.redirect(to: form.from ?? Destination.feed.link, visit: visit, saying: notice)
        }
        return writer.fragments(
            writer.toast(notice, visit), visit: visit,
            status: notice?.tone == .failure ? .unprocessableContent : .ok)
    }

    /// For what sends a form that has waited.
    private func sent(_ notice: Notice?, _ visit: Visit) throws -> Response {
        let refusal = notice?.tone == .failure ? notice?.refusal : nil
        return try writer.data(
            SentForm(isDone: refusal == nil, words: notice?.text), visit: visit, status: refusal ?? .ok)
    }

    @Sendable private func delete(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let (id, words) = (try visit.number(), visit.words)
        let link = Destination.post(id).link
        guard form["act"] == "delete" else {
            let context: [String: Any] = [
                "heading": words[.postDeleteTitle], "lead": words[.postDeleteLead], "act": "delete",
                "yes": words[.postDelete], "link": link, "icon": "trash",
            ]
            return writer.page(.question, context, title: words[.postDeleteTitle], visit: visit)
        }
        let holder = await visit.postDetail()
        await holder.delete(id)
        let state = await holder.state
        return writer.redirect(
            to: state.standing == .deleted ? Destination.feed.link : link, visit: visit, saying: state.notice)
    }
}

extension Visit {
    @MainActor func postDetail() -> PostDetailStateHolder {
        PostDetailStateHolder(person.posts, you: person.user.id, words: words, clock: clock)
    }

    /// The id in the address, of what has a number.
    ///
    /// - Throws: `notFound` for what is none.
    func number() throws(ClientFailure) -> Int64 {
        guard let number = Int64(id.text) else { throw ClientFailure(.notFound, words[.notFoundLead]) }
        return number
    }
}
