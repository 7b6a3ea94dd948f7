import ArgumentParser
import BothyServer
import Foundation
import Logging

/// `bothy server run`, which is what `bothy server` does.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Serve files until stopped. This is what “bothy server” does.")

    @OptionGroup var options: ServerOptions

    @Flag(help: "Show the settings as YAML, and do nothing else.")
    var printConfig = false

    func run() async throws {
        try await tellingFaults(json: options.json) {
            let config = try options.read()
            if printConfig {
                ServerOutput.line(config.yaml, terminator: "")
            } else {
                try await ServerRun(config, json: options.json).run()
            }
        }
    }
}

/// `bothy up`: a server on this machine's defaults.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "A personal cloud on this machine: a server on its defaults.",
        discussion: "The same as “bothy server”, which has more to set.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await tellingFaults(json: options.json) {
            try await ServerRun(try options.read(), json: options.json).run()
        }
    }
}
