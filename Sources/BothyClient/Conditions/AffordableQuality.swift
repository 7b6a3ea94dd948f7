import BothyContract

extension ClientEnvironment {
    /// How large a picture is asked for: in a network that costs by the byte no larger than it has to be.
    ///
    /// - Parameter quality: what there is room for on the screen; nil for a content itself, which a person asked for.
    func affordable(_ quality: MediaQuality?) async -> MediaQuality? {
        guard let quality, quality != .thumbnail, await metering.isMetered() == true else { return quality }
        return .low
    }
}
