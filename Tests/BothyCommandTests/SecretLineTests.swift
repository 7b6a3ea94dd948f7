import Testing

@testable import bothy

@Suite struct SecretLineTests {
    private func type(_ keys: [UInt8]) -> SecretLine.Outcome {
        var line = SecretLine()
        for key in keys {
            let outcome = line.press(key)
            if outcome != .more { return outcome }
        }
        return .more
    }

    @Test func aPasswordIsWhatWasTypedUpToEnter() {
        #expect(type(Array("geheim é\n".utf8)) == .entered("geheim é"))
        #expect(type(Array("a\r".utf8)) == .entered("a"))
    }

    @Test func backspaceTakesAWholeCharacter() {
        #expect(type(Array("aé".utf8) + [0x7F] + Array("b\n".utf8)) == .entered("ab"))
        #expect(type([0x7F, 0x7F] + Array("b\n".utf8)) == .entered("b"))
        #expect(type(Array("abc".utf8) + [0x15] + Array("d\n".utf8)) == .entered("d"))
    }

    @Test func ctrlCGivesUp() {
        #expect(type(Array("abc".utf8) + [0x03]) == .givenUp)
        #expect(type([0x04]) == .givenUp)
    }
}
