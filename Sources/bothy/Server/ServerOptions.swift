import ArgumentParser
import BothyServer
import Foundation

/// The settings of a server that have a flag.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The settings file, in YAML.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: ArgumentHelp("The data folder.", valueName: "folder"), completion: .directory)
    var data: String?

    @Option(help: ArgumentHelp("The address to listen on; port 0 picks a free port.", valueName: "host:port"))
    var listen: String?

    @Option(help: ArgumentHelp("The server's address for clients, if it differs.", valueName: "url"))
    var publicUrl: String?

    @Option(
        help: ArgumentHelp("Proxies whose X-Forwarded-For is trusted, separated by commas.", valueName: "addresses"))
    var trustedProxies: String?

    @Option(help: "Who can create an account: auto, open, invite or closed.")
    var registration: String?

    @Option(help: ArgumentHelp("The TLS certificate, a PEM file.", valueName: "file"), completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key, a PEM file.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(help: ArgumentHelp("The address for /metrics, on this machine only.", valueName: "host:port"))
    var metricsListen: String?

    @Option(help: "The log level: trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    @Option(help: "The log format: text or json.")
    var logFormat: String?

    @Option(help: ArgumentHelp("The disk space to leave free, such as 1GiB.", valueName: "bytes"))
    var minFree: String?

    @Option(help: ArgumentHelp("The quota of new accounts, such as 100GiB, or none.", valueName: "bytes"))
    var quota: String?

    @Option(help: ArgumentHelp("The maximum number of files and folders in an account, or none.", valueName: "number"))
    var maxItems: String?

    @Flag(help: "Refuse an empty data folder, such as that of an unmounted disk.")
    var existing = false

    @Flag(help: "Print the address and the setup code as JSON. The log's format is set by --log-format.")
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
