import BothyClient
import BothyContract

/// Who is signed in where, as `register`, `login` and `whoami` print it with `--json`.
struct AccountDocument: Encodable {
    struct User: Encodable {
        var id: Int64
        var email: String
        var displayName: String
    }

    struct Device: Encodable {
        var id: String
        var name: String
    }

    struct Quota: Encodable {
        var used: Int64
        var limit: Int64?
    }

    var server: String
    var user: User
    var device: Device
    /// Absent when the server could not be asked.
    var quota: Quota?

    init(_ account: SignedInAccount, quota: AboutResponse.Quota? = nil) {
        server = account.server.origin
        user = User(id: account.user.id, email: account.user.email, displayName: account.user.displayName)
        device = Device(id: account.device.id, name: account.device.name)
        self.quota = quota.map { Quota(used: $0.used, limit: $0.limit) }
    }
}
