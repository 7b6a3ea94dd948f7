import Foundation

/// How long each step takes, told as it ends.
final class Stopwatch {
    private(set) var seconds: [String: Double] = [:]

    func time<Value>(_ step: String, _ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        let took = (ContinuousClock.now - start) / Duration.seconds(1)
        seconds[step] = took
        FileHandle.standardError.write(Data("\(step): \(Int(took)) s\n".utf8))
        return value
    }
}
