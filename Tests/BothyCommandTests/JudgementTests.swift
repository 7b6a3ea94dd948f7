import BothyAgent
import Testing

@testable import bothy

@Suite struct JudgementTests {
    @Test func othersMustNotLookIntoTheHome() {
        #expect(Judgement.permissions(0o40700, of: "/h").verdict == .good)
        #expect(
            Judgement.permissions(0o40755, of: "/h")
                == Finding(
                    "permissions", .bad,
                    "Other users of this machine can read “/h”, which holds this device's secrets.",
                    remedy: "chmod 700 /h"))
    }

    @Test(
        arguments: [(0, Finding.Verdict.good), (-59, .good), (61, .doubtful), (-3600, .bad)]
            as [(Int64, Finding.Verdict)])
    func clocksThatDisagreeAreToldOf(_ ahead: Int64, _ verdict: Finding.Verdict) {
        #expect(Judgement.clock(ahead).verdict == verdict)
        #expect((Judgement.clock(ahead).remedy == nil) == (verdict == .good))
    }

    @Test func aDiskThatFillsUpIsToldOf() {
        #expect(Judgement.room(10 << 30, of: "/h").verdict == .good)
        #expect(Judgement.room(1 << 30, of: "/h").verdict == .doubtful)
        #expect(Judgement.room(1 << 20, of: "/h").verdict == .bad)
    }

    /// “bothy status” showed a page on which all was well.
    @Test func aStatusTellsOfADiskOnceNothingGoesOnWithout() {
        func line(_ free: Int64?) -> AgentStatusLine? { HomeRoom(directory: "/h", free: free).line }
        for enough in [10 << 30, 1 << 30] as [Int64] { #expect(line(enough) == nil) }
        #expect(line(nil) == nil)
        #expect(
            line(0)
                == AgentStatusLine(
                    "disk", .held, "0 B are free on the disk of “/h”.", reason: "disk_full",
                    remedy: "Free some space: transfers cannot continue without it."))
    }

    @Test func wantingASignInAloneIsAStatusOfItsOwn() {
        let (good, account) = (
            Finding("home", .good, "h"), Finding("account", .bad, "a", remedy: "r", needsSignIn: true)
        )
        #expect(Judgement.status([good, Finding("disk", .doubtful, "d", remedy: "r")]) == .done)
        #expect(Judgement.status([good, account]) == .signInNeeded)
        #expect(Judgement.status([account, Finding("disk", .bad, "d", remedy: "r")]) == .failed)
    }

    @Test func anotherReleaseIsToldOf() {
        #expect(Judgement.version(server: "0.1.0", own: "0.1.3").verdict == .good)
        #expect(Judgement.version(server: "0.2.0", own: "0.1.0").verdict == .doubtful)
        #expect(Judgement.version(server: nil, own: "0.1.0").verdict == .doubtful)
    }
}
