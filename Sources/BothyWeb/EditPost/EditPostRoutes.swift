import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// `/posts/{id}/edit`: writing anew what is posted, in the form that it was written in.
struct EditPostRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page("/posts/{id}/edit", show), .form("/posts/{id}/edit", submit)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let (id, holder) = (try visit.number(), await holder(visit))
        await holder.open(id)
        return page(await holder.state, of: id, visit)
    }

    @Sendable private func submit(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let (id, holder) = (try visit.number(), await holder(visit))
        let sent = EditPostStateHolder.Sent(
            written: form.written, warning: form["warning"] ?? "", attached: form.attached,
            baseVersion: form["version"].flatMap { Int($0) } ?? 0,
            requestId: form["request"])
        if form["detach"] != nil { await holder.keep(sent, of: id) } else { await holder.save(sent, of: id) }
        let state = await holder.state
        guard state.standing == .saved else { return page(state, of: id, visit) }
        return writer.redirect(to: Destination.post(id).link, visit: visit, saying: state.notice)
    }

    private func page(_ state: EditPostState, of id: Int64, _ visit: Visit) -> Response {
        let words = visit.words
        switch state.standing {
        case .gone(let notice):
            return writer.message(words[.notFoundTitle], notice.text, visit: visit, status: .notFound)
        case .failed(let notice): return writer.failed(notice, visit: visit)
        case .fresh, .shown, .saved: break
        }
        var context = ComposerContext.of(
            state.written, behind: state.warning, state.attached, of: id, words)
        context["action"] = Destination.editPost(id).link
        context["back"] = Destination.post(id).link
        context["publish"] = words[.save]
        context["requestId"] = state.requestId
        context["version"] = String(state.baseVersion)
        if let reach = state.reach { context["reach"] = PostContext.reach(reach) }
        if let notice = state.notice { context["notice"] = notice.text }
        if let elsewhere = state.elsewhere { context["elsewhere"] = Self.context(of: elsewhere) }
        return writer.page(
            .createPost, context, title: words[.postEditTitle], visit: visit,
            status: state.notice?.tone == .failure ? .unprocessableContent : .ok)
    }

    private static func context(of elsewhere: EditPostState.Elsewhere) -> [String: Any] {
        var context: [String: Any] = ["blocks": PostBlockView.all(of: elsewhere.text)]
        // The form's own field is the “warning” of the page around.
        if let warning = elsewhere.warning { context["warningNow"] = warning }
        return context
    }

    private func holder(_ visit: Visit) async -> EditPostStateHolder {
        await EditPostStateHolder(
            visit.person.posts, you: visit.person.user.id, words: visit.words,
            newRequestId: { UUID().uuidString.lowercased() })
    }
}
