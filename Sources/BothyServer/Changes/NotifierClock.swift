import ServiceLifecycle

/// Ticks the notifier once a second, for as long as the server runs.
package struct NotifierClock: Service {
    private let notifier: Notifier

    package init(notifier: Notifier) { self.notifier = notifier }

    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    try await Task.sleep(for: .seconds(1))
                    await notifier.tick()
                }
            }
        } catch is CancellationError {
            await notifier.stop()
        }
    }
}
