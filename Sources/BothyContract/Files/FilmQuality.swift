/// How large a prepared film is: H.264 and AAC in MP4, with what a player needs first at its beginning. The server makes it of what is posted, and
/// when somebody asks for it.
///
/// A person who may read a content may read it so: the word is added to the content's own address.
public enum FilmQuality: String, Codable, CaseIterable, Sendable {
    case p360 = "360p"
    case p720 = "720p"
    case p1080 = "1080p"

    /// The parameter that carries it in the address of a content.
    public static let parameter = "film"

    /// In place of a quality: the one that is right for the connection that a browser tells of.
    public static let automatic = "auto"

    public static let mimeType = "video/mp4"

    /// Points of the shorter side at most; nothing is made larger than it was.
    public var lines: Int {
        switch self {
        case .p360: 360
        case .p720: 720
        case .p1080: 1080
        }
    }

    /// In the order in which they are made.
    public static let inOrder: [FilmQuality] = [.p720, .p360, .p1080]

    /// What stands for it where it is not there: smaller ones, the greatest of them first, and then larger ones.
    public var nearest: [FilmQuality] {
        let ladder = Self.allCases
        guard let place = ladder.firstIndex(of: self) else { return ladder }
        return ladder[..<place].reversed() + ladder[(place + 1)...]
    }

    /// The address of the one that is right for the connection.
    ///
    /// - Parameter contentUrl: a `downloadUrl` or a `contentUrl`.
    public static func address(of contentUrl: String) -> String {
        "\(contentUrl)\(contentUrl.contains("?") ? "&" : "?")\(parameter)=\(automatic)"
    }
}
