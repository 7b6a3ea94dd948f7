import ArgumentParser
import BothyAgent
import BothyClient
import Foundation

/// `bothy open`
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open this device's files in the browser, with a connection or without.",
        discussion: """
            The agent serves the web app to browsers on this machine only. The browser signs in through a file that only you \
            can read and that works once, within 30 seconds. With --print the command prints the file's address and waits \
            until it was opened or has expired; then the file is removed.
            """)

    @Flag(name: .customLong("print"), help: "Print the address instead of opening it.")
    var onlyPrint = false

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var address: String
        /// Of the file that leads in, good once.
        var entrance: String
        var opened: Bool
    }

    func run() async throws {
        try await Home.using { home in
            guard try home.account.signedIn() == nil else { return }
            throw ClientFailure(.signInNeeded, "Nobody is signed in on this device.")
        }
        try await HomeAgent.launcher.ensure()
        let file = EntranceFile(in: DeviceHome.defaultDirectory())
        defer { file.remove() }
        let opened = OpenedAddress()
        _ = try await HomeAgent.launcher.client.ask(.browse) { answer in
            guard case .entrance(let address, let token) = answer else { return }
            try file.write(address: address, token: token)
            opened.keep(address, isOpened: onlyPrint ? false : Browser.open(file.url))
            guard !opened.isOpened else { return }
            try output.tell(
                "Open this within 30 seconds: \(file.url)",
                Document(address: address, entrance: file.url, opened: false))
        }
        guard opened.isOpened, let address = opened.address else { return }
        try output.tell(
            "Your files are open in the browser: \(address)",
            Document(address: address, entrance: file.url, opened: true))
    }

    /// Answers come one after the other, before the asking ends.
    private final class OpenedAddress: @unchecked Sendable {
        private(set) var address: String?
        private(set) var isOpened = false

        func keep(_ address: String, isOpened: Bool) {
            self.address = address
            self.isOpened = isOpened
        }
    }
}

/// A page that only its owner can read, and that sends a token on as soon as it is opened: a token in an address would be
/// seen by everyone who lists processes.
struct EntranceFile {
    private let path: String

    init(in home: String) { path = "\(home)/open-\(UUID().uuidString.prefix(8).lowercased()).html" }

    var url: String { URL(fileURLWithPath: path).absoluteString }

    func write(address: String, token: String) throws {
        // Both are of the agent's own letters and digits: nothing in them ends an attribute.
        let page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Bothy</title></head>
            <body><form method="post" action="\(address)/enter"><input type="hidden" name="token" value="\(token)">
            <button>Open Bothy</button></form><script>document.forms[0].submit()</script></body></html>

            """
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ClientFailure(errno: errno, path: path, doing: "be written") }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(page.utf8))
    }

    func remove() { unlink(path) }
}

/// The person's own browser.
enum Browser {
    private static let programs = ["/usr/bin/xdg-open", "/usr/bin/open"]

    /// - Returns: false where there is none to be started.
    static func open(_ url: String) -> Bool {
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { ProcessInfo.processInfo.environment[$0] != nil }
        #if os(Linux)
            guard hasScreen else { return false }
        #endif
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [url]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // The caller then shows the address instead.
        guard (try? process.run()) != nil else { return false }
        return true
    }
}
