import BothyContract

extension ClientFailure {
    /// The server is there, and its disk takes no writes: nothing that waiting mends by itself.
    public var isOfServersDisk: Bool { problem?.code == .storeFailed }
}
