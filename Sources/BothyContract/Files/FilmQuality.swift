/// How large a prepared film is: H.264 and AAC in MP4, with what a player needs first at its beginning. The server makes them of what is posted.
public enum FilmQuality: String, Codable, CaseIterable, Sendable {
    case p360 = "360p"
    case p720 = "720p"
    case p1080 = "1080p"

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
}
