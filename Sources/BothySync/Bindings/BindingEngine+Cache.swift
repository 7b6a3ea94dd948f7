/// What is known of the whole drive on this device, beside what one folder of it hears and does.
extension BindingEngine {
    /// Brings what is known of the drive up to what this folder has heard and done: between looks at everything it reads the
    /// server's log for itself, and whoever asks without a connection is answered from what is known of the drive.
    ///
    /// What cannot be had now is had the next time: by this, or by whoever asks the server.
    package func bringCacheUp() async {
        guard isCacheBehind else { return }
        // What is heard meanwhile may come too late for this.
        isCacheBehind = false
        if (try? await cache.pull()) == nil { isCacheBehind = true }
    }
}
