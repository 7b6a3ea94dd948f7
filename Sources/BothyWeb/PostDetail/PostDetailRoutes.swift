import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/posts/{id}`: one post, and what is done with it.
struct PostDetailRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/posts/{id}", show), .form("/posts/{id}", delete), .form("/posts/{id}/act", interact),
            .page("/posts/{id}/media", media),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await visit.postDetail()
        await holder.open(try visit.number())
        let state = await holder.state
        switch state.standing {
        case .gone(let notice):
            return writer.message(visit.words[.notFoundTitle], notice.text, visit: visit, status: .notFound)
        case .failed(let notice): return writer.failed(notice, visit: visit)
        case .fresh, .shown, .deleted: break
        }
        guard let post = state.post else { throw ClientFailure(.notFound, visit.words[.postGone]) }
        let title = visit.words.filled(.postBy, post.author.name)
        return writer.page(.postDetail, Self.context(post, state, visit.words), title: title, visit: visit)
    }

    private static func context(
        _ post: PostDetailState.Post, _ state: PostDetailState, _ words: Words
    ) -> [String: Any] {
        let link = Destination.post(post.id).link
        var context = PostContext.marks(post.marks, of: post.id, isYours: post.author.isYou, from: link)
        context.merge(PostContext.author(post.author, words)) { $1 }
        context["moment"] = post.moment
        context["createdAt"] = post.createdAt.rfc3339
        context["blocks"] = PostBlockView.all(of: post.text)
        context["media"] = post.media.map { medium in
            var one: [String: Any] = [
                "source": "\(link)/media?of=\(medium.id)", "isVideo": medium.type == .video,
                "told": medium.words,
            ]
            if medium.hasPicture {
                one["picture"] = MediaQuality.high.address(of: "\(link)/media?of=\(medium.id)")
            }
            if let caption = medium.caption { one["caption"] = caption }
            return one
        }
        if let staleness = state.staleness { context["staleness"] = staleness }
        return context
    }

    /// The bytes of an attachment; without “of”, of the first one that has a picture.
    @Sendable private func media(_ visit: Visit) async throws -> Response {
        let asked = visit.query("of")
        let attachment = asked.flatMap { Int64($0) }
        guard asked == nil || attachment != nil else { throw ClientFailure(.notFound, visit.words[.notFoundLead]) }
        let place = try await visit.person.posts.media(attachment, of: try visit.number(), visit.quality)
        return try await ContentResponse.make(place, visit, writer)
    }

    @Sendable private func interact(_ visit: Visit, _ form: FormBody) async throws -> Response {
        guard let interaction = form["act"].flatMap({ PostInteraction(rawValue: $0) }) else {
            throw ClientFailure(.refused, visit.words[.failedTitle])
        }
        let holder = await visit.postDetail()
        await holder.interact(interaction, with: try visit.number())
        let notice = await holder.state.notice
        guard visit.wantsFragments else {
            return writer.redirect(to: Self.back(form["from"]), visit: visit, saying: notice)
        }
        return writer.fragments(
            writer.toast(notice, visit), visit: visit,
            status: notice?.tone == .failure ? .unprocessableContent : .ok)
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

    /// A page of this app, and no other address.
    private static func back(_ link: String?) -> String {
        link.flatMap { Destination(link: $0) == nil ? nil : $0 } ?? Destination.feed.link
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
