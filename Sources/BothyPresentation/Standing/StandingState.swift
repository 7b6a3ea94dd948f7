import BothyClient

/// The quiet line, as it is shown.
public struct StandingState: Equatable, Sendable {
    public enum Tone: String, Sendable {
        case calm, busy, waiting, asking
    }

    public var tone: Tone
    /// Such as «Up to date».
    public var text: String
    /// What that means, and since when.
    public var lead: String
    /// Where something can be done about it.
    public var place: Destination
    public var isPaused: Bool
    /// Pausing makes sense of it.
    public var canPause: Bool

    /// Nothing is claimed where it cannot be told.
    public init(_ notice: Notice) {
        tone = .asking
        text = notice.text
        lead = notice.remedy ?? ""
        place = .transfers
        isPaused = false
        canPause = false
    }

    public init(_ line: QuietLine, words: Words, clock: PersonsClock) {
        let asOf = line.asOf.map { words.filled(.asOf, words.date($0, at: clock)) }
        place = .transfers
        isPaused = false
        canPause = true
        switch line.kind {
        case .signInNeeded:
            (tone, text, lead) = (.asking, words[.standingSignIn], words[.standingSignInLead])
            canPause = false
        case .paused(Condition.Rule.battery, _):
            (tone, text, lead) = (.waiting, words[.standingOnBattery], words[.standingOnBatteryLead])
            // Whether it rests is switched there; a pause would add nothing.
            (place, canPause) = (.settings, false)
        case .paused(Condition.Rule.metered, _):
            (tone, text, lead) = (.waiting, words[.standingOnMetered], words[.standingOnMeteredLead])
            (place, canPause) = (.settings, false)
        case .paused(_, let until):
            let end = until.map { words.filled(.standingPausedUntil, words.date($0, at: clock)) }
            (tone, text, lead) = (.waiting, end ?? words[.standingPaused], words[.standingPausedLead])
            (isPaused, canPause) = (true, false)
        case .offline(let since):
            let waiting = words.counted(line.open, one: .standingOfflineOne, many: .standingOfflineMany)
            (tone, text) = (.waiting, line.open == 0 ? words[.standingOffline] : waiting)
            let moment = since.map { words.filled(.since, words.date($0, at: clock)) }
            lead = [moment.map { words[.standingOffline] + ", " + $0 + "." }, words[.standingOfflineLead], asOf]
                .compactMap { $0 }.joined(separator: " ")
        case .diskFull:
            (tone, text) = (.asking, words[.standingDiskFull])
            lead = [words[.standingDiskFullLead], asOf].compactMap(\.self).joined(separator: " ")
            place = .offline
        case .asks(let count, let asking):
            (tone, text) = (.asking, words.counted(count, one: .standingAsksOne, many: .standingAsksMany))
            lead = words[count == 1 ? .standingAsksOneLead : .standingAsksLead]
            place = Self.place(asking)
        case .working:
            let moving = words.counted(line.open, one: .standingWorkingOne, many: .standingWorkingMany)
            (tone, text) = (.busy, line.open == 0 ? words[.standingWorking] : moving)
            lead = words[.standingWorkingLead]
        case .inStep: (tone, text, lead) = (.calm, words[.standingInStep], words[.standingInStepLead])
        }
    }

    private static func place(_ asking: QuietLine.Asking) -> Destination {
        switch asking {
        case .folders: .synced
        case .conflicts: .conflicts
        case .transfers: .transfers
        }
    }
}
