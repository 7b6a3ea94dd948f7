import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// `/feed/new`: writing a post. What is attached travels in the form, so a page that is left alone costs nothing.
struct CreatePostRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.newPost.link, show), .form(Destination.newPost.link, submit)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit, request: nil)
        if let file = visit.query("file") { await holder.attach([ItemID(file)]) }
        return page(await holder.state, visit)
    }

    @Sendable private func submit(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit, request: form["request"])
        let detached = form["detach"]
        let attached = zip(form.all("file"), form.all("caption")).filter { $0.0 != detached }
        await holder.attach(attached.map { ItemID($0.0) }, captions: attached.map(\.1))
        if detached != nil {
            await holder.keep(form["text"] ?? "")
        } else {
            await holder.publish(form["text"] ?? "")
        }
        let state = await holder.state
        guard state.isPublished else { return page(state, visit) }
        return writer.redirect(to: Destination.feed.link, visit: visit, saying: state.notice)
    }

    private func page(_ state: CreatePostState, _ visit: Visit) -> Response {
        var context: [String: Any] = [
            "typed": state.typed, "requestId": state.requestId, "hasAttached": !state.attached.isEmpty,
            "attached": state.attached.map {
                ["id": $0.id.text, "name": $0.name, "kind": $0.type.rawValue, "caption": $0.caption]
            },
        ]
        if let notice = state.notice { context["notice"] = notice.text }
        let refused = state.notice?.tone == .failure
        return writer.page(
            .createPost, context, title: visit.words[.postNew], visit: visit,
            status: refused ? .unprocessableContent : .ok)
    }

    private func holder(_ visit: Visit, request: String?) async -> CreatePostStateHolder {
        await CreatePostStateHolder(
            visit.person.posts, words: visit.words, requestId: request, newRequestId: { UUID().uuidString.lowercased() }
        )
    }
}
