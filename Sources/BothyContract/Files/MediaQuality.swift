/// How large a prepared picture of a content is. The server makes one when it is asked for first, and keeps it.
///
/// A person who may read a content may read it small: the word is added to the content's own address.
public enum MediaQuality: String, Codable, CaseIterable, Sendable {
    /// The middle of interest, cut to a square.
    case thumbnail
    case low, medium, high

    /// The parameter that carries it in the address of a content.
    public static let parameter = "quality"

    /// What a prepared picture is, whatever it was made from, for a client that does not say what it accepts.
    public static let mimeType = "image/webp"

    /// In place of a quality: the one that is right for the connection that a browser tells of.
    public static let automatic = "auto"

    /// What stands for it where it is not there: the larger ones, the least of them first, and then the smaller ones. A square stands for nothing else.
    public var nearest: [MediaQuality] {
        let ladder: [MediaQuality] = [.low, .medium, .high]
        guard let place = ladder.firstIndex(of: self) else { return ladder }
        return ladder[(place + 1)...] + ladder[..<place].reversed()
    }

    /// Pixels that it has at most; the sides stay as they are to each other, and nothing is made larger than it was.
    public var box: (width: Int, height: Int) {
        switch self {
        case .thumbnail: (256, 256)
        case .low: (480, 320)
        case .medium: (720, 480)
        case .high: (1080, 720)
        }
    }

    /// Pixels that it has of what is so large: as far as ``box`` lets it, and never more than there are.
    public func size(of width: Int, by height: Int) -> (width: Int, height: Int) {
        guard self != .thumbnail, width > 0, height > 0 else { return box }
        let scale = min(1, Double(box.width) / Double(width), Double(box.height) / Double(height))
        func side(_ points: Int) -> Int { max(1, Int((Double(points) * scale).rounded())) }
        return (side(width), side(height))
    }

    /// The address of this of a content.
    ///
    /// - Parameter contentUrl: a `downloadUrl` or a `contentUrl`.
    public func address(of contentUrl: String) -> String {
        "\(contentUrl)\(contentUrl.contains("?") ? "&" : "?")\(Self.parameter)=\(rawValue)"
    }
}
