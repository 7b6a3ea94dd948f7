import BothyContract

/// How much is still read of a body whose request was answered before it was there; pure.
///
/// It is read at all so that the client hears the answer: with the connection closed at once, its system would throw away what it
/// has not read yet. A client that sends no more than requests have here is heard out; for the others it ends.
struct UnwantedBody: Sendable {
    enum Verdict: Equatable, Sendable { case more, enough }

    /// As many bytes as the largest body that a route takes.
    static let most = Int(UploadLimits.maximumRangeBody)

    private var bytesLeft = Self.most
    private var looksLeft: Int

    /// - Parameter looks: how often the connection is looked at until the time is up.
    init(looks: Int) { looksLeft = looks }

    mutating func received(_ bytes: Int) -> Verdict {
        bytesLeft -= bytes
        return bytesLeft < 0 ? .enough : .more
    }

    mutating func looked() -> Verdict {
        looksLeft -= 1
        return looksLeft < 0 ? .enough : .more
    }
}
