import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/transfers`: what goes between this device and its server, as it goes.
struct TransfersRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        let link = Destination.transfers.link
        return [.page(link, show), .form(link + "/act", act)]
    }

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
            await holder.act(remedy, on: form["id"] ?? "")
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
