/// Comments in streams of Server-Sent Events (HTML Living Standard §9.2), which the reader of one passes over.
public enum EventComments {
    /// Keeps proxies from closing a quiet stream, and finds clients that are gone.
    public static let stillHere = ": still here\n\n"
}
