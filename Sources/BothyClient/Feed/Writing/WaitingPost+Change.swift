extension WaitingPost {
    /// What is to become of a post or a comment that waits. All of it is done at once, or nothing.
    public struct Change: Equatable, Sendable {
        /// HTML of ``PostText``; nil for what it says now.
        public var content: String?
        /// It goes without what has not reached the server. The files stay where they are.
        public var isDetached: Bool

        public init(content: String? = nil, isDetached: Bool = false) {
            self.content = content
            self.isDetached = isDetached
        }
    }
}
