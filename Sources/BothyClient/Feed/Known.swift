/// What the server said, now or before.
public struct Known<Value: Sendable>: Sendable {
    public var value: Value
    /// Why this is what was known here before; nil where the server has just answered.
    public var unreached: ClientFailure?

    public init(_ value: Value, unreached: ClientFailure? = nil) {
        self.value = value
        self.unreached = unreached
    }
}

extension Known: Equatable where Value: Equatable {}

extension ClientFailure {
    /// The server could not be asked, or does not know who asks: what is known here is shown instead.
    var leavesWhatIsKnown: Bool { isNetworks || code == .signInNeeded }
}
