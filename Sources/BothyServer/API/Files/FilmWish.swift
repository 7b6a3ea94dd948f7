import BothyContract
import HTTPTypes
import Hummingbird

/// What is asked for in place of a film: `?film=`.
struct FilmWish: Sendable {
    var quality: FilmQuality
    /// Whether the connection has chosen it.
    var isAutomatic = false

    /// Nil where the content itself is asked for.
    ///
    /// - Throws: `invalid_parameter`.
    init?(_ request: Request) throws {
        guard let asked = request.query(FilmQuality.parameter) else { return nil }
        if asked == FilmQuality.automatic {
            (quality, isAutomatic) = (AutomaticQuality(request.headers).film, true)
        } else if let named = FilmQuality(rawValue: asked) {
            quality = named
        } else {
            let known = (FilmQuality.allCases.map(\.rawValue) + [FilmQuality.automatic]).map { "“\($0)”" }
            throw Problem(
                .invalidParameter, "“\(FilmQuality.parameter)” should be one of \(known.joined(separator: ", ")).")
        }
    }

    /// To what is played: a film, or the content itself where there is none.
    func redirection(to quality: FilmQuality?, _ request: Request) -> Response {
        let name = "\(FilmQuality.parameter)="
        var query = (request.uri.query ?? "").split(separator: "&").map(String.init).filter { !$0.hasPrefix(name) }
        if let quality { query.append(name + quality.rawValue) }
        // The one that was asked for may be there the next time.
        var headers: HTTPFields = [.location: "?" + query.joined(separator: "&"), .cacheControl: "no-store"]
        if isAutomatic { headers[.vary] = AutomaticQuality.fields.joined(separator: ", ") }
        return Response(status: .temporaryRedirect, headers: headers)
    }
}
