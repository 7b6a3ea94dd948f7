import Foundation
import Testing

@testable import bothy

@Suite struct ArgumentTests {
    @Test func theLastOfSeveralIsTheTargetWhenItBeginsWithASlash() throws {
        let put = try PutArguments(paths: ["a.txt", "b.txt", "/docs/"], to: nil)
        #expect(put.sources == ["a.txt", "b.txt"])
        #expect(put.target.path.text == "/docs")
        #expect(try PutArguments(paths: ["a.txt", "b.txt"], to: nil).target == .root)
        #expect(try PutArguments(paths: ["/tmp/a.txt"], to: nil).sources == ["/tmp/a.txt"])
        #expect(try PutArguments(paths: ["/tmp/a", "/tmp/b"], to: "/x").sources == ["/tmp/a", "/tmp/b"])
    }

    @Test(arguments: [["-"], ["-", "/docs/"], ["-", "a", "/x"], []])
    func standardInputNeedsANameAndStandsAlone(_ paths: [String]) {
        let complaint = #expect(throws: Complaint.self) { try PutArguments(paths: paths, to: nil) }
        #expect(complaint?.status == .wrongUsage)
    }

    @Test func standardInputWithANameIsTaken() throws {
        #expect(try PutArguments(paths: ["-", "/notes.txt"], to: nil).isStandardInput)
    }

    @Test func theLastOfSeveralIsWhereItGoes() throws {
        let get = try GetArguments(paths: ["/a", "/b", "down"], to: nil)
        #expect(get.sources.map(\.path.text) == ["/a", "/b"])
        #expect(get.target == "down")
        #expect(try GetArguments(paths: ["/a"], to: nil).target == ".")
        #expect(try GetArguments(paths: ["/a", "/tmp/b"], to: nil).target == "/tmp/b")
        #expect(try GetArguments(paths: ["/a", "/b"], to: "d").sources.count == 2)
        #expect(try GetArguments(paths: ["/a", "-"], to: nil).isStandardOutput)
        #expect(throws: Complaint.self) { try GetArguments(paths: ["/a", "/b", "-"], to: nil) }
        #expect(throws: Complaint.self) { try GetArguments(paths: ["a", "b"], to: nil) }
    }

    @Test func anAnswerIsForOneOrForAll() {
        let several = ExistsQuestion(subject: "“/a” is there already.", keepsHistory: true, several: true)
        #expect(several.reply("r") == .init(answer: .replace, forAll: false))
        #expect(several.reply(" K ") == .init(answer: .keepBoth, forAll: true))
        #expect(several.reply("S") == .init(answer: .skip, forAll: true))
        #expect(several.reply("c")?.answer == .cancel)
        #expect(several.reply("") == nil)
        #expect(several.reply("yes") == nil)
        let single = ExistsQuestion(subject: "x", keepsHistory: false, several: false)
        #expect(single.reply("R") == .init(answer: .replace, forAll: false))
        #expect(single.reply("s") == nil)
    }

    @Test func aNameInAQuestionIsSafeToShow() {
        let question = ExistsQuestion(subject: "“/\u{1B}[2J” is there.", keepsHistory: true, several: false)
        #expect(!question.text.contains("\u{1B}"))
    }

    @Test func withoutAFlagItIsAskedOnlyWhereSomeoneCanAnswer() throws {
        let none = try ExistsOptions.parse([])
        #expect(none.policy(canAsk: true, keepsHistory: false) == .ask)
        #expect(none.policy(canAsk: false, keepsHistory: true) == .replace)
        #expect(none.policy(canAsk: false, keepsHistory: false) == .replaceVersions)
        #expect(try ExistsOptions.parse(["--keep-both"]).policy(canAsk: true, keepsHistory: false) == .keepBoth)
        #expect(try ExistsOptions.parse(["--fail"]).policy(canAsk: true, keepsHistory: false) == .fail)
        #expect(throws: (any Error).self) { try ExistsOptions.parse(["--fail", "--replace"]) }
    }

    @Test func shortIdsTellNeighboursApart() {
        let ids = ["0199-aaaa-1111abcdef", "0199-aaaa-2222abcdef", "0199-bbbb-3333000000"]
        #expect(ids.map { ShortId.of($0, among: ids) } == ["1abcdef", "2abcdef", "000000"])
        for (index, id) in ids.enumerated() {
            #expect(ShortId.find(ShortId.of(id, among: ids), in: ids) == .one(index))
            #expect(ShortId.find(id, in: ids) == .one(index))
        }
        #expect(ShortId.find("abcdef", in: ids) == .several)
        #expect(ShortId.find("0199", in: ids) == .several)
        #expect(ShortId.find("ffff", in: ids) == .none)
        #expect(ShortId.find("f", in: ids) == .none)
    }
}
