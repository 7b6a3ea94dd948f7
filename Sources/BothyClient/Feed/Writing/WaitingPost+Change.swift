extension WaitingPost {
    /// What is to become of a post or a comment that waits. All of it is done at once, or nothing.
    public struct Change: Equatable, Sendable {
        /// HTML of ``PostText``; nil for what it says now.
        public var content: String?
        /// See ``PostPreview/contentWarning``; nil for what stands before it now, and empty for nothing.
        public var contentWarning: String?
        /// It goes without what has not reached the server. The files stay where they are.
        public var isDetached: Bool

        public init(content: String? = nil, contentWarning: String? = nil, isDetached: Bool = false) {
            self.content = content
            self.contentWarning = contentWarning
            self.isDetached = isDetached
        }
    }
}
