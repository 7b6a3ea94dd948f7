import BothyClient
import BothyPresentation
import HTTPTypes
import Hummingbird

/// What pages hear: each page's stream at its own address, and `/events`, which is those of all pages of a browser in one.
///
/// Browsers open no more than six connections to a server (RFC 9112 §9.4 asks for few), so a page that kept one to itself
/// would keep others from loading.
struct StreamRoutes: Sendable {
    /// Pages that one stream tells; more hear nothing.
    private static let most = 64

    let streams: [PageStream]
    let writer: PageWriter

    var screens: [Screen] {
        streams.map { stream in
            .page(stream.path) { visit in
                guard let telling = try await stream.open(visit) else { return Response(status: .badRequest) }
                return answer(visit) { tell in
                    try await StandingRoutes.beside(visit, writer, tell) { try await telling(tell) }
                }
            }
        } + [.page("/events", shared)]
    }

    /// `?of=` the address of each page's stream: what each is told begins with its number among these.
    @Sendable private func shared(_ visit: Visit) async throws -> Response {
        var pages: [(number: Int, telling: PageStream.Telling)] = []
        for (number, address) in visit.request.uri.queryParameters[values: "of"].prefix(Self.most).enumerated() {
            let page = visit.going(to: String(address))
            let path = page.request.uri.path[...]
            guard let (stream, id) = streams.lazy.compactMap({ one in one.id(in: path).map { (one, $0) } }).first
            else { continue }
            let telling = try await stream.open(id.isEmpty ? page : page.at(id))
            if let telling { pages.append((number, telling)) }
        }
        guard !pages.isEmpty else { return Response(status: .badRequest) }
        let opened = pages
        return answer(visit) { tell in
            let tellAll: PageStream.Tell = { event in for page in opened { try tell(event.told(to: page.number)) } }
            try await StandingRoutes.beside(visit, writer, tellAll) {
                try await withThrowingTaskGroup { group in
                    for page in opened {
                        group.addTask { try await page.telling { try tell($0.told(to: page.number)) } }
                    }
                    // One that has no more to tell ends nothing for the others.
                    try await group.waitForAll()
                }
            }
        }
    }

    private func answer(_ visit: Visit, _ telling: @escaping PageStream.Telling) -> Response {
        EventResponse.make(
            visit.request, headers: writer.headers(visit), telling)
    }
}
