import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/people`: who is here, whom a person follows, and what each has posted.
struct PeopleRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [
            .page(Destination.people.link, show), .form(Destination.people.link, follow),
            .page("/people/{id}", showOne),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        await holder.open(after: visit.query("after"))
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = [
            "rows": state.rows.map { Self.row($0, from: Destination.people.link) }, "isAlone": state.isAlone,
        ]
        if case .away(let notice) = state.standing {
            var told = ["text": notice.text]
            told["remedy"] = notice.remedy
            context["away"] = told
        }
        if let next = state.next { context["nextPage"] = Destination.people.link + "?after=" + next }
        return writer.page(.people, context, title: visit.words[.people], visit: visit)
    }

    @Sendable private func showOne(_ visit: Visit) async throws -> Response {
        let (id, people, feed) = (try visit.number(), await holder(visit), await visit.newsFeed())
        await people.open(person: id)
        await feed.open(.person(id), after: visit.query("after"))
        let (shown, state, words) = (await people.state, await feed.state, visit.words)
        if shown.standing == .missing {
            return writer.message(words[.notFoundTitle], words[.notFoundLead], visit: visit, status: .notFound)
        }
        if case .failed(let notice) = shown.standing { return failed(notice, visit) }
        if case .failed(let notice) = state.standing { return failed(notice, visit) }
        guard let person = shown.rows.first else { return failed(Notice(words[.notFoundLead]), visit) }
        let link = Destination.postsOf(id).link
        var context = Self.row(person, from: link)
        context["posts"] = state.posts.map { PostContext.row($0, from: link, words) }
        context["isEmpty"] = state.isEmpty
        context["lead"] = words.filled(.postsOfNone, person.name)
        if let next = state.next { context["nextPage"] = link + "?after=" + next }
        return writer.page(.person, context, title: words.filled(.postsOf, person.name), visit: visit)
    }

    private func failed(_ notice: Notice, _ visit: Visit) -> Response { writer.failed(notice, visit: visit) }

    @Sendable private func follow(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit)
        if let id = form["id"].flatMap({ Int64($0) }) {
            await holder.setFollowing(form["act"] == "follow", id, name: form["name"] ?? "")
        }
        let back = form["from"].flatMap { Destination(link: $0) } ?? .people
        return writer.redirect(to: back.link, visit: visit, saying: await holder.state.notice)
    }

    private static func row(_ row: PeopleState.Row, from: String) -> [String: Any] {
        var context: [String: Any] = [
            "id": row.id, "name": row.name, "initial": row.initial, "isYou": row.isYou,
            "isFollowed": row.isFollowed, "from": from,
        ]
        if let note = row.note { context["note"] = note }
        return context
    }

    private func holder(_ visit: Visit) async -> PeopleStateHolder {
        await PeopleStateHolder(visit.person.people, words: visit.words)
    }
}
