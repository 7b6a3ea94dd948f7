import BothyContract

/// What has come of a request.
public enum RequestEnd: Equatable, Sendable {
    /// It was done. Of what it left on the drive, that is how it was right then; where nothing but the file is known any more, the file
    /// as it is now; nil where it left nothing.
    case done(File?)
    /// Nothing so far, and never, if it was withdrawn.
    case nothing
}
