import ArgumentParser
import BothyServer
import Foundation
import Logging

/// `bothy server run`, which is what `bothy server` does.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the server until it is stopped. “bothy server” does the same.")

    @OptionGroup var options: ServerOptions

    @Flag(help: "Print the settings as YAML and exit.")
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
        abstract: "Run a server on this machine with the default settings.",
        discussion: "“bothy server” does the same, with more options.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await tellingFaults(json: options.json) {
            try await ServerRun(try options.read(), json: options.json).run()
        }
    }
}
