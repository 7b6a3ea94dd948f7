/// Decides what is news. Pure: looks in, notices out. What was there at the first look is none, nor is what stays.
package struct NoticeMachine: Sendable {
    /// How things stand.
    package struct Look: Equatable, Sendable {
        package var needsSignIn = false
        /// What waits for a person: names by ids. A kind that is absent was not looked at, and nothing is known of it.
        package var waiting = [NoticeKind: [String: String]]()
        /// What came from other devices since the look before.
        package var arrived = [String]()

        package init() {}
    }

    private var last: Look?

    package init() {}

    package mutating func take(_ look: Look) -> [DeviceNotice] {
        defer { last = look }
        guard let last else { return [] }
        var notices = [DeviceNotice]()
        if look.needsSignIn, !last.needsSignIn { notices.append(DeviceNotice(.signIn)) }
        for kind in NoticeKind.allCases {
            guard let known = last.waiting[kind] else { continue }
            let new = (look.waiting[kind] ?? [:]).filter { known[$0.key] == nil }.sorted {
                $0.key < $1.key
            }
            if let first = new.first {
                notices.append(DeviceNotice(kind, count: new.count, name: first.value))
            }
        }
        if let first = look.arrived.first {
            notices.append(DeviceNotice(.update, count: look.arrived.count, name: first))
        }
        return notices
    }
}
