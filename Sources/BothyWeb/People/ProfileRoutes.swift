import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/people/{id}`: what one person says of herself, and what she has posted. `/people?handle=ada` leads there.
/// `/profile`: one's own, to be changed.
struct ProfileRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page("/people/{id}", show), .page("/people/{id}/picture", picture), .page(Destination.profile.link, edit),
            .form(Destination.profile.link, save),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let (people, feed) = (await holder(visit), await visit.newsFeed())
        let id = try visit.number()
        await people.open(id)
        let shown = await people.state
        guard let person = shown.person else { return answer(shown, visit) }
        await feed.open(.person(id), after: visit.query("after"))
        let (state, words) = (await feed.state, visit.words)
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        let link = Destination.postsOf(id).link
        var context = PersonContext.row(person, from: link, words)
        context["counts"] = shown.counts
        context["posts"] = state.posts.map { PostContext.row($0, from: link, words) }
        // Without a connection, that none are known here does not say that there are none.
        context["isEmpty"] = state.isEmpty && state.staleness == nil
        context["isUnknown"] = state.isEmpty && state.staleness != nil
        context["unknownLead"] = words.filled(.postsOfUnknownLead, person.name)
        context["lead"] = words.filled(.postsOfNone, person.name)
        if let staleness = shown.staleness ?? state.staleness { context["staleness"] = staleness }
        if let next = state.next { context["nextPage"] = link + "?after=" + next }
        return writer.page(.person, context, title: words.filled(.postsOf, person.name), visit: visit)
    }

    @Sendable private func picture(_ visit: Visit) async throws -> Response {
        try await ContentResponse.make(try await visit.person.people.picture(of: try visit.number()), visit, writer)
    }

    /// Leads to the person who has that handle.
    func lead(toHandle handle: String, _ visit: Visit) async -> Response {
        let people = await holder(visit)
        guard let found = await people.find(handle: handle) else { return await answer(people.state, visit) }
        return writer.redirect(to: Destination.postsOf(found).link, visit: visit)
    }

    @Sendable private func edit(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        await holder.openYou()
        let state = await holder.state
        return state.standing == .shown
            ? form(state, Self.picture(visit.query("picture")), visit) : answer(state, visit)
    }

    @Sendable private func save(_ visit: Visit, _ body: FormBody) async throws -> Response {
        let holder = await holder(visit)
        await holder.save(
            ProfileState.Typed(
                name: body["name"] ?? "", handle: body["handle"] ?? "", bio: body["bio"] ?? "",
                approves: body["approves"] != nil, picture: Self.picture(body["picture"])))
        let state = await holder.state
        guard state.isSaved, let person = state.person else { return form(state, state.typed.picture, visit) }
        return writer.redirect(to: Destination.postsOf(person.id).link, visit: visit, saying: state.notice)
    }

    /// A file's id, «none», or nothing.
    private static func picture(_ typed: String?) -> ProfileState.Typed.Picture {
        switch typed {
        case nil, "": .same
        case "none": .none
        case .some(let id): .file(ItemID(id))
        }
    }

    private func form(_ state: ProfileState, _ picture: ProfileState.Typed.Picture, _ visit: Visit) -> Response {
        var context: [String: Any] = [
            "name": state.typed.name, "handle": state.typed.handle, "bio": state.typed.bio,
            "approves": state.typed.approves, "bioLength": PersonLimits.bioLength,
        ]
        if let person = state.person {
            context["id"] = person.id
            context.merge(PersonContext.face(person.face)) { $1 }
        }
        if case .file(let id) = picture {
            let address = MediaQuality.thumbnail.address(of: Destination.file(id).link + "/content")
            context["chosen"] = ["id": id.text, "address": address]
            context["portrait"] = false
        }
        if let notice = state.notice, !state.isSaved { context["refused"] = notice.text }
        return writer.page(
            .profile, context, title: visit.words[.profileEdit], visit: visit,
            status: state.notice?.tone == .failure ? .unprocessableContent : .ok)
    }

    /// For whom there is no page.
    private func answer(_ state: ProfileState, _ visit: Visit) -> Response {
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        let words = visit.words
        return writer.message(words[.notFoundTitle], words[.notFoundLead], visit: visit, status: .notFound)
    }

    private func holder(_ visit: Visit) async -> ProfileStateHolder {
        await ProfileStateHolder(visit.person.people, posts: visit.person.posts, words: visit.words)
    }
}
