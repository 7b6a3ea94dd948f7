import BothyContract

/// Tells of one post that somebody has open, for as long as they have.
struct OpenPostNews: Sendable {
    private let remote: ChangesRemoteSource
    private let environment: ClientEnvironment

    init(remote: ChangesRemoteSource, environment: ClientEnvironment) {
        self.remote = remote
        self.environment = environment
    }

    /// Listens until it is canceled, or what time does not heal: a post that cannot be read any more, or a device that is signed out.
    ///
    /// - Parameter tell: called whenever the post may not be as it was.
    func listen(to post: Int64, tell: @escaping @Sendable () -> Void) async {
        var (failures, isFirst) = (0, true)
        while !Task.isCancelled {
            let stream = EventConnection { if $0 == .post { tell() } }
            stream.open { try await remote.events(after: nil, post: post, into: $0) }
            defer { stream.close() }
            var end: ClientFailure?
            reading: while true {
                switch await stream.next() {
                case .greeted:
                    // What happened while nothing was heard was told to nobody.
                    if !isFirst { tell() }
                    (failures, isFirst) = (0, false)
                case .told: continue
                case .nothing: return
                case .ended(let failure):
                    end = failure
                    break reading
                }
            }
            let failure = end ?? ClientFailure(.offline, "The server's event stream has ended.")
            guard failure.isTransient else {
                // It went while nothing was heard of it.
                if failure.code == .notFound { tell() }
                return
            }
            isFirst = false
            failures += 1
            let pause = RetryPolicy.untilNextLook(after: failure, failures: failures, chance: environment.chance())
            guard (try? await environment.clock.sleep(seconds: pause)) != nil else { return }
        }
    }
}
