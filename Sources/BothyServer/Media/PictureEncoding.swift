import BothyContent
import BothyContract

/// How a prepared picture is written down; its raw value is how its file's name ends.
enum PictureEncoding: String, CaseIterable, Sendable {
    case webp
    case jpeg = "jpg"

    var mimeType: String {
        switch self {
        case .webp: MediaQuality.mimeType
        case .jpeg: "image/jpeg"
        }
    }

    /// What who asks takes: JPEG only where that is named, and WebP is not.
    ///
    /// - Parameter accept: the field `Accept`, or nothing.
    init(accept: String?) {
        let wishes = WeightedNames(accept)
        let webp = ["image/webp", "image/*", "*/*"].lazy.compactMap(wishes.weight).first
        self = (wishes.weight(of: "image/jpeg") ?? 0) > (webp ?? 0) ? .jpeg : .webp
    }

    /// What of a picture that was drawn is shown: without all that is not the picture; nil for what is none.
    func bare(_ drawn: [UInt8]) -> [UInt8]? {
        switch self {
        case .webp: BareWebP.of(drawn)
        case .jpeg: PictureCleaning.plan(drawn)?.apply(to: drawn)
        }
    }
}
