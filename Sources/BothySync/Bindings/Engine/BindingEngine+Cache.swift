/// What is known of the whole drive on this device, beside what one folder of it hears and does.
extension BindingEngine {
    /// What the cache lacks of what this folder has heard and done.
    enum CacheLack: Comparable {
        case nothing
        /// Nothing but what the server's answers to this folder's own changes told.
        case ownChanges
        case news
    }

    /// Brings what is known of the drive up to what this folder has heard and done: between looks at everything it reads the
    /// server's log for itself, and requests without a connection are answered from what is known of the drive.
    ///
    /// The log is asked only for what the answers to this folder's own changes leave open. What cannot be had now is had the next time:
    /// by this, or by the next request to the server.
    package func bringCacheUp() async {
        let lack = cacheLack
        guard lack != .nothing else { return }
        // What is heard meanwhile may come too late for this.
        cacheLack = .nothing
        do {
            if lack == .ownChanges, try await cache.takeOwnChanges() { return }
            _ = try await cache.pull()
        } catch {
            cacheLack = .news
        }
    }
}
