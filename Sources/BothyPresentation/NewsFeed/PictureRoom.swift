import BothyContract

/// The room that a picture takes on a screen, known before it is there: so nothing moves when it comes.
public struct PictureRoom: Equatable, Sendable {
    /// Points of the picture as it is shown at most, with its sides as they are to each other.
    public var width: Int
    public var height: Int
    /// A [ThumbHash](https://evanw.github.io/thumbhash/) in base64, to be drawn until it is there.
    public var placeholder: String?

    /// Nil where the server does not know how large the whole is.
    init?(width: Int?, height: Int?, placeholder: String?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        (self.width, self.height) = MediaQuality.high.size(of: width, by: height)
        self.placeholder = placeholder
    }
}
