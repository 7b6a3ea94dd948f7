/// One file on its way, as the display knows it.
struct ProgressItem: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
        case waiting
        case preparing
        case transferring
        /// With why, in words.
        case held(String)
        case verifying
        case done
        case failed

        var isOver: Bool { self == .done || self == .failed }
    }

    /// What a person calls it: a path, not yet made safe.
    var label: String
    var phase: Phase
    /// Bytes that have arrived for good.
    var done: Int64
    /// Nil while it is not known.
    var total: Int64?

    init(label: String, phase: Phase = .waiting, done: Int64 = 0, total: Int64? = nil) {
        self.label = label
        self.phase = phase
        self.done = done
        self.total = total
    }
}
