import ArgumentParser
import BothyServer
import Foundation

/// What the server's commands say. Written at once, so that a program that reads along waits for nothing.
enum ServerOutput {
    static func line(_ text: String, terminator: String = "\n") { write(text + terminator, to: STDOUT_FILENO) }

    static func complain(_ text: String) { write("bothy: \(TerminalText.safeLines(text))\n", to: STDERR_FILENO) }

    static func complain(_ document: ErrorDocument) { write(document.line + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

/// Runs a command, and tells a `ServerFault` in its own words, or as a document.
func tellingFaults(json: Bool = false, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let fault as ServerFault {
        let status = fault.exitStatus
        if json {
            ServerOutput.complain(ErrorDocument(Complaint(fault.code, fault.description, status: status)))
        } else {
            ServerOutput.complain(fault.description)
        }
        throw ExitCode(status.rawValue)
    }
}

extension ServerFault {
    fileprivate var code: Complaint.Code {
        switch kind {
        case .usage: .wrongUsage
        case .partly: .partlyDone
        case .missing, .occupied, .locked, .folder, .failed: .serverFault
        }
    }

    fileprivate var exitStatus: ExitStatus {
        switch kind {
        case .usage: .wrongUsage
        case .missing, .occupied: .notThereOrInConflict
        case .partly: .partlyDone
        case .locked, .folder, .failed: .failed
        }
    }
}
