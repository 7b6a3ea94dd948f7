import BothyContent
import BothyContract

/// What is to be played in the place of a film.
enum FilmNeed: Equatable, Sendable {
    /// Itself: browsers play it, and it is no larger.
    case itself
    /// The film of a smaller quality, which is as large already.
    case smaller(FilmQuality)
    /// One that has to be made.
    case made

    /// - Parameter head: what it says of itself; nil where that cannot be read.
    init(_ quality: FilmQuality, mimeType: String, head: FilmHead?) {
        guard let head, let width = head.width, let height = head.height else {
            self = .made
            return
        }
        let lines = min(width, height)
        if lines <= quality.lines, Self.isPlayed(mimeType, head.codecs) {
            self = .itself
        } else {
            // The least that is as large as the film.
            let least = FilmQuality.allCases.first { $0.lines >= lines } ?? quality
            self = least.lines < quality.lines ? .smaller(least) : .made
        }
    }

    /// Whether every browser plays it.
    private static func isPlayed(_ mimeType: String, _ codecs: [String]) -> Bool {
        guard let played = played[ContentDisposition.essence(of: mimeType)], !codecs.isEmpty else { return false }
        return played.isSuperset(of: codecs)
    }

    private static let played: [String: Set<String>] = [
        "video/mp4": ["avc1", "avc3", "mp4a"],
        "video/webm": ["V_VP8", "V_VP9", "V_AV1", "A_OPUS", "A_VORBIS"],
    ]
}
