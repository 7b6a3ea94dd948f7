import BothyContract
@testable import BothySync
import Testing

/// How often a file that is saved again and again is sent.
@Suite struct SavePaceTests {
    @Test func aFileThatNeverComesToRestIsSentTenTimesInTenSeconds() {
        var pace = SavePace()
        var sent = 0
        for moment in 0..<6_000 {
            let uptime = Double(moment) / 100
            if pace.restless(at: uptime).contains("log") { continue }
            pace.note("log", at: uptime)
            sent += 1
        }
        #expect((55...65).contains(sent), "\(sent) in a minute")
    }

    @Test func whatAPersonSavesNowAndThenIsSentAtOnce() {
        var pace = SavePace()
        for second in 0..<600 {
            #expect(pace.restless(at: Double(second) * 1.2).isEmpty)
            pace.note("report", at: Double(second) * 1.2)
        }
    }

    @Test func oneFileThatIsSavedOftenKeepsNoOtherWaiting() {
        var pace = SavePace()
        for save in 0..<SavePace.most { pace.note("log", at: Double(save) / 100) }
        #expect(pace.restless(at: 1) == ["log"])
    }
}
