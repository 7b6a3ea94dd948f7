import BothyContract
import Foundation

/// A look at the server from this device: is it there, how long does it take, what time does it think it is.
public struct ServerProbe: Sendable {
    /// From the question to the answer.
    public var seconds: Double
    /// Seconds that the server's clock is ahead of this device's, to the second; negative when it is behind. Absent when
    /// the answer named no time.
    public var clockAhead: Int64?
}

extension AccountRepository {
    /// Asks the server whether it can keep anything, without a token.
    ///
    /// - Throws: `ClientFailure` `serverFailed`, in the server's words, where its disk takes no writes. What else keeps it from saying so is
    ///   told by ``probe()``: a proxy may not hand this address on.
    public func checkKeeps() async throws {
        guard let server = try signedIn()?.server else { return }
        do {
            _ = try await network.send(
                WireRequest(.GET, "/readyz", signed: false, answerLimit: 1 << 16, retries: .none), to: server)
        } catch let failure as ClientFailure where !failure.isOfServersDisk {
            return
        }
    }

    /// Asks the server whether it is there, without a token.
    ///
    /// - Throws: `ClientFailure`: `signInNeeded` when no server is known, `offline`, `untrustedServer`, `serverBusy` …
    public func probe() async throws -> ServerProbe {
        guard let server = try signedIn()?.server else {
            throw ClientFailure(.signInNeeded, "Nobody is signed in on this device.")
        }
        let started = clock.uptime()
        let answer = try await network.send(
            WireRequest(.GET, "/healthz", signed: false, answerLimit: 1 << 16, retries: .none), to: server)
        let told = answer.headers.first(name: "Date").flatMap(Self.httpDate)
        return ServerProbe(
            seconds: clock.uptime() - started, clockAhead: told.map { $0 - clock.now().seconds })
    }

    /// IMF-fixdate of RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Returns: seconds since 1970.
    private static func httpDate(_ text: String) -> Int64? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text).map { Int64($0.timeIntervalSince1970) }
    }
}
