import ArgumentParser
import BothyServer
import Foundation

/// The settings of a server that have a flag.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The settings, as YAML.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: ArgumentHelp("Where everything is kept.", valueName: "folder"), completion: .directory)
    var data: String?

    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free one.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("Where clients reach the server, when that is elsewhere.", valueName: "url"))
    var publicUrl: String?

    @Option(help: ArgumentHelp("Proxies whose X-Forwarded-For counts, with commas.", valueName: "addresses"))
    var trustedProxies: String?

    @Option(help: "Who may make an account: auto, open, invite or closed.")
    var registration: String?

    @Option(help: ArgumentHelp("The certificate, as PEM.", valueName: "file"), completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key, as PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(help: ArgumentHelp("Where to serve /metrics, on this machine only.", valueName: "host:port"))
    var metricsListen: String?

    @Option(help: "What is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    @Option(help: "How it is logged: text or json.")
    var logFormat: String?

    @Option(help: ArgumentHelp("What stays free on the disk, such as 1GiB.", valueName: "bytes"))
    var minFree: String?

    @Option(help: ArgumentHelp("What a new account may keep, such as 100GiB, or none.", valueName: "bytes"))
    var quota: String?

    @Option(help: ArgumentHelp("How many files and folders an account may have, or none.", valueName: "number"))
    var maxItems: String?

    @Flag(help: "Refuse a folder without data: a disk that is not mounted leaves an empty one behind.")
    var existing = false

    @Flag(help: "Say where it listens, and the setup code, as JSON. What it logs is set by --log-format.")
    var json = false

    /// - Throws: `ServerFault` that names what cannot be used.
    func read() throws -> ServerConfig {
        let environment = ProcessInfo.processInfo.environment
        let given: [(ConfigKey, String?)] = [
            (.data, data), (.listen, listen), (.publicUrl, publicUrl), (.trustedProxies, trustedProxies),
            (.registration, registration), (.tlsCertificate, tlsCertificate), (.tlsKey, tlsKey),
            (.metricsListen, metricsListen), (.logLevel, logLevel), (.logFormat, logFormat), (.minFree, minFree),
            (.quota, quota), (.maxItems, maxItems), (.existing, existing ? "true" : nil),
        ]
        let flags = given.compactMap { key, value in value.map { (key: key, value: $0) } }
        return try ConfigSources(file: config, environment: environment, flags: flags).read()
    }
}
