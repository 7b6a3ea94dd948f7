import BothyClient
import Foundation

/// Measures what `bothy doctor` tells of, one thing after the other, as far as it gets.
struct Examination {
    let directory: String

    /// - Parameter tell: called with each finding as it is made.
    func run(_ tell: (Finding) throws -> Void) async throws {
        let home: DeviceHome
        do {
            home = try await Home.open(Home.environmentForLooking)
        } catch let failure as ClientFailure {
            return try tell(Finding("home", .bad, failure.words, remedy: failure.remedy))
        }
        try tell(Finding("home", .good, "This device is “\(directory)”."))
        try tell(permissions())
        try tell(HomeRoom(of: directory).finding)
        do {
            try await examine(home, tell)
        } catch {
            // The findings are what counts; closing can add nothing to them.
            _ = try? await home.close()
            throw error
        }
        try await home.close()
    }

    private func examine(_ home: DeviceHome, _ tell: (Finding) throws -> Void) async throws {
        guard let account = try home.account.signedIn() else {
            return try tell(
                Finding(
                    "account", .bad, "Nobody is signed in.", remedy: "Sign in with “bothy login”.", needsSignIn: true))
        }
        // Said once the server was asked: it knows best whether that still holds.
        let signedIn = Finding("account", .good, "Signed in as \(account.user.email), “\(account.device.name)”.")
        do {
            let probe = try await home.account.probe()
            let milliseconds = Int((probe.seconds * 1000).rounded(.up))
            try tell(Finding("server", .good, "\(account.server) answers in \(milliseconds) ms."))
            if let ahead = probe.clockAhead { try tell(Judgement.clock(ahead)) }
            try await home.account.checkKeeps()
        } catch let failure as ClientFailure {
            try tell(signedIn)
            let named = failure.words.contains("\(account.server)")
            let words = named ? failure.words : "\(account.server): \(failure.words)"
            return try tell(Finding("server", .bad, words, remedy: failure.remedy))
        }
        do {
            let about = try await home.account.about()
            try tell(signedIn)
            try tell(Judgement.version(server: about.serverVersion, own: Bothy.version))
            if let drive = Judgement.drive(about.blockParameters) { try tell(drive) }
        } catch let failure as ClientFailure {
            try tell(
                Finding(
                    "account", .bad, failure.words, remedy: failure.remedy,
                    needsSignIn: ExitStatus(failure.code) == .signInNeeded))
        }
        try tell(try await transfers(home))
    }

    private func permissions() -> Finding {
        for path in [directory, directory + "/secrets"] {
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let finding = Judgement.permissions(UInt32(status.st_mode), of: path)
            if finding.verdict != .good { return finding }
        }
        return Finding("permissions", .good, "Only you can access it.")
    }

    private func transfers(_ home: DeviceHome) async throws -> Finding {
        let open = try await home.transfers.list()
        let failed = open.filter { $0.state == .failed }.count
        if failed > 0 {
            return Finding(
                "transfers", .doubtful, "\(failed) failed.",
                remedy:
                    "“bothy transfers” says why; then “bothy transfers retry --all”, or “bothy transfers cancel ID”.")
        }
        let waiting = open.filter(\.state.rests).count
        guard waiting > 0 else { return Finding("transfers", .good, "None are waiting.") }
        return Finding(
            "transfers", .doubtful, "\(waiting) are waiting to be resumed.",
            remedy: "Run “bothy transfers resume --all”.")
    }
}
