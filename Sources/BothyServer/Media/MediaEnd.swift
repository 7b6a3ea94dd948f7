import ServiceLifecycle

/// Breaks off what is being drawn as soon as the server is to stop, so that nobody who waits for a picture holds it up.
struct MediaEnd: Service {
    let media: MediaVariants

    func run() async throws {
        try? await gracefulShutdown()
        try await media.stop()
    }
}
