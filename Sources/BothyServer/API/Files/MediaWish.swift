import BothyContract
import Hummingbird

/// What is asked for in place of a content: `?quality=`.
struct MediaWish: Sendable {
    var quality: MediaQuality
    /// The field `Vary` of the answer.
    var vary: String

    /// What stands for a picture that cannot be shown as it is.
    static let instead = MediaWish(quality: .high, vary: "Accept")

    private init(quality: MediaQuality, vary: String) {
        self.quality = quality
        self.vary = vary
    }

    /// Nil where the content itself is asked for.
    ///
    /// - Throws: `invalid_parameter`.
    init?(_ request: Request) throws {
        guard let asked = request.query(MediaQuality.parameter) else { return nil }
        vary = "Accept"
        if asked == MediaQuality.automatic {
            quality = AutomaticQuality(request.headers).quality
            vary = (["Accept"] + AutomaticQuality.fields).joined(separator: ", ")
        } else if let named = MediaQuality(rawValue: asked) {
            quality = named
        } else {
            let known = (MediaQuality.allCases.map(\.rawValue) + [MediaQuality.automatic]).map { "“\($0)”" }
            throw Problem(
                .invalidParameter, "“\(MediaQuality.parameter)” should be one of \(known.joined(separator: ", ")).")
        }
    }
}
