import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/posts/{id}/report`: reporting a post to the server's operator.
struct ReportPostRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] { [.page("/posts/{id}/report", show), .form("/posts/{id}/report", send)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response { page(try visit.number(), visit) }

    @Sendable private func send(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let (post, reason) = (try visit.number(), form["reason"] ?? "")
        do {
            try await visit.person.people.report(post, because: reason)
        } catch {
            return page(post, visit, typed: reason, refused: visit.words.failure(error))
        }
        return writer.redirect(
            to: Destination.post(post).link, visit: visit, saying: Notice(visit.words[.reported]))
    }

    private func page(_ post: Int64, _ visit: Visit, typed: String = "", refused: Notice? = nil) -> Response {
        let back = Destination.post(post).link
        var context: [String: Any] = [
            "link": back + "/report", "back": back, "typed": typed, "most": PersonLimits.reasonLength,
        ]
        if let refused { context["refused"] = refused.text }
        return writer.page(
            .reportPost, context, title: visit.words[.reportTitle], visit: visit,
            status: refused == nil ? .ok : .unprocessableContent)
    }
}
