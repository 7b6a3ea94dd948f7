import ArgumentParser
import Foundation
import Testing

@testable import bothy

@Suite struct ManualPageTests {
    @Test func everyCommandIsInTheManual() throws {
        let page = try ManualPage(help: Bothy._dumpHelp(), version: "1.2.3").text
        let tool = try JSONDecoder().decode(CommandDescription.Tool.self, from: Data(Bothy._dumpHelp().utf8))
        #expect(tool.command.all.count > 30)
        for command in tool.command.all.dropFirst() {
            #expect(page.contains(".SS \"" + ManualPage.escaped(command.fullName)), "\(command.fullName)")
        }
        #expect(page.hasPrefix(".TH BOTHY 1"))
    }

    @Test func roffTakesNothingForACommandOfItsOwn() {
        #expect(ManualPage.escaped(".so /etc/passwd\n'x a\\b --c") == "\\&.so /etc/passwd\n\\&'x a\\eb \\-\\-c")
    }

    @Test func everyCommandSpeaksJSONAndHasHelp() throws {
        let tool = try JSONDecoder().decode(CommandDescription.Tool.self, from: Data(Bothy._dumpHelp().utf8))
        let own = tool.command.all.dropFirst().filter { command in
            command.subcommands?.isEmpty != false
        }
        for command in own {
            #expect(command.abstract?.isEmpty == false, "\(command.fullName)")
            for argument in command.arguments ?? [] where argument.shouldDisplay {
                #expect(argument.abstract?.isEmpty == false, "\(command.fullName) \(argument.synopsis)")
            }
            let speaks = command.arguments?.contains { $0.names?.contains { $0.name == "json" } == true } == true
            #expect(speaks || ["bothy completion"].contains(command.fullName), "\(command.fullName) has no --json")
        }
    }
}
