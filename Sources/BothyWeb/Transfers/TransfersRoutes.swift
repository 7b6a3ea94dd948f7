import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/transfers`: what goes between this device and its server, as it goes.
struct TransfersRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        let link = Destination.transfers.link
        return [
            .page(link, show), .form(link, giveUp), .form(link + "/act", act), .page(Self.giveUpLink, ask),
        ]
    }

    /// Asks first; `id` in the query.
    private static let giveUpLink = Destination.transfers.link + "/give-up"

    var streams: [PageStream] { [PageStream(Destination.transfers.link + "/events", events)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = try await holder(visit)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        return writer.page(
            .transfers, TransfersView(state, visit, writer).context, title: visit.words[.transfers], visit: visit)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = try await holder(visit)
        if let remedy = form["all"].flatMap({ TransferRemedy(rawValue: $0) }) {
            await holder.actOnAll(remedy)
        } else if form["clear"] != nil {
            await holder.clear()
        } else if let remedy = form["act"].flatMap({ TransferRemedy(rawValue: $0) }) {
            let id = form["id"] ?? ""
            // What is nowhere but here goes when its person has said so twice.
            if remedy == .cancel, await holder.question(about: id) != nil {
                return writer.redirect(to: "\(Self.giveUpLink)?id=\(id)", visit: visit)
            }
            if await holder.state.notice == nil { await holder.act(remedy, on: id) }
        }
        let state = await holder.state
        guard visit.wantsFragments else {
            return writer.redirect(to: Destination.transfers.link, visit: visit, saying: state.notice)
        }
        let status: HTTPResponse.Status = state.notice?.tone == .failure ? .unprocessableContent : .ok
        return writer.fragments(
            writer.toast(state.notice, visit) + TransfersView(state, visit, writer).everything, visit: visit,
            status: status)
    }

    @Sendable private func ask(_ visit: Visit) async throws -> Response {
        let (holder, id) = (try await holder(visit), visit.query("id") ?? "")
        guard let question = await holder.question(about: id) else {
            let notice = await holder.state.notice
            return writer.redirect(to: Destination.transfers.link, visit: visit, saying: notice)
        }
        let context: [String: Any] = [
            "link": Destination.transfers.link, "icon": "transfers", "heading": question.heading,
            "lead": question.lead, "act": TransferRemedy.cancel.rawValue, "yes": question.yes, "ids": [["id": id]],
        ]
        return writer.page(.question, context, title: question.heading, visit: visit)
    }

    /// The answer to what was asked.
    @Sendable private func giveUp(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = try await holder(visit)
        if form["act"] == TransferRemedy.cancel.rawValue { await holder.act(.cancel, on: form["id"] ?? "") }
        return writer.redirect(to: Destination.transfers.link, visit: visit, saying: await holder.state.notice)
    }

    @Sendable private func events(_ visit: Visit) async throws -> PageStream.Telling? {
        let holder = try await holder(visit)
        await holder.open()
        let (first, writer) = (await holder.state, writer)
        return { tell in
            // A page that was away shows what was then.
            try tell(.piece(TransfersView(first, visit, writer).everything))
            try await holder.follow { before, state in
                let text = TransfersView(state, visit, writer).pieces(since: before)
                if !text.isEmpty { try tell(.piece(text)) }
            }
        }
    }

    private func holder(_ visit: Visit) async throws -> TransfersStateHolder {
        await TransfersStateHolder(try visit.device().transfers, words: visit.words, clock: visit.laterClock)
    }
}
