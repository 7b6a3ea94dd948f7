import BothyClient

/// What a person who reads a feed on a device waits for.
struct ReadingFigures: Encodable {
    /// Milliseconds of the first page that is shown after the home was opened and filled.
    var firstOfAll: Double
    /// The first page from what is kept.
    var read: Latencies
    /// The same until a screen's state shows it, with the server's refusal before it.
    var shown: Latencies
    /// From the call that says that somebody presses it to the screen's state that shows it.
    var like: Latencies

    /// - Parameter samples: of each; a tenth as many go before them, and do not count.
    @MainActor init(_ home: DeviceHome, samples: Int) async throws {
        let screen = ReadingScreen(home)
        firstOfAll = Latencies.milliseconds(try await screen.open())
        shown = try await Self.measure(samples) { _ in try await screen.open() }
        read = try await Self.measure(samples) { _ in try await screen.read() }
        // Last: what was done waits to be sent from then on, and is done to each page anew.
        like = try await Self.measure(samples) { try await screen.like($0) }
    }

    @MainActor private static func measure(
        _ samples: Int, _ act: (_ turn: Int) async throws -> Duration
    ) async throws -> Latencies {
        let before = samples / 10
        var times: [Duration] = []
        for turn in 0..<before + samples {
            let took = try await act(turn)
            if turn >= before { times.append(took) }
        }
        return Latencies(times)
    }
}
