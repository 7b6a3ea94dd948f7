import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/settings`: the account's devices, and its password.
struct SettingsRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case askToSignOut = "ask-sign-out"
        case signOut = "sign-out"
        case askToSignOutOthers = "ask-others"
        case signOutOthers = "others"
        case changePassword = "password"
        case setNotices = "notices"
        case setRest = "rest"
    }

    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.settings.link, show), .form(Destination.settings.link, act)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        return try await page(holder, visit)
    }

    /// - Parameter refused: why the password was not changed.
    private func page(
        _ holder: SettingsStateHolder, refused: Notice? = nil, _ visit: Visit
    ) async throws -> Response {
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        var context: [String: Any] = [
            "link": Destination.settings.link, "hasDevices": !state.devices.isEmpty, "mail": state.email,
            "hasOthers": state.hasOthers,
            "release": Release.version,
            "thisOne": visit.words[visit.account?.device == nil ? .thisBrowser : .thisDevice],
            "devices": state.devices.map {
                [
                    "id": $0.id, "name": $0.name, "about": $0.about, "isThis": $0.isThis, "isOther": !$0.isThis,
                    "icon": Self.icon($0.about),
                ] as [String: Any]
            },
        ]
        if let notices = try await Self.notices(visit) { context["notices"] = notices }
        context["rests"] = await Self.rests(visit)
        if let away = state.away { context["away"] = ["text": away.text] }
        if let refused { context["refused"] = refused.text }
        return writer.page(
            .settings, context, title: visit.words[.settings], visit: visit,
            status: refused == nil ? .ok : .unprocessableContent)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit)
        switch form["act"].flatMap({ Act(rawValue: $0) }) {
        case .askToSignOut:
            await holder.open()
            let state = await holder.state
            if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
            // One that is gone meanwhile is not asked about: the list shows that it is.
            guard let device = state.devices.first(where: { $0.id == form["device"] }) else { break }
            return question(device, visit)
        case .signOut: await holder.signOut(form["device"] ?? "")
        case .askToSignOutOthers: return question(visit)
        case .signOutOthers: await holder.signOutOthers()
        case .changePassword:
            await holder.changePassword(from: form["old"] ?? "", to: form["new"] ?? "", by: visit.visitor)
            // Said where it was typed.
            if let notice = await holder.state.notice, notice.tone == .failure {
                return try await page(holder, refused: notice, visit)
            }
        case .setNotices:
            let notices = await NoticesStateHolder(try visit.device().notices, words: visit.words)
            await notices.set(Set(form.all("kind").compactMap { NoticeKind(rawValue: $0) }))
            return writer.redirect(
                to: Destination.settings.link, visit: visit, saying: await notices.state.notice)
        case .setRest:
            guard let rest = form["rest"].flatMap({ DeviceRest(rawValue: $0) }) else { break }
            let rests = await RestStateHolder(rest, try visit.device().rests, words: visit.words)
            await rests.set(rests: form["rests"] != nil)
            return writer.redirect(to: Destination.settings.link, visit: visit, saying: await rests.state.notice)
        case nil: break
        }
        return writer.redirect(to: Destination.settings.link, visit: visit, saying: await holder.state.notice)
    }

    /// The switches of a device; nil in a server's own web app, and where they cannot be read now.
    private static func notices(_ visit: Visit) async throws -> [String: Any]? {
        guard let notices = visit.account?.device?.notices else { return nil }
        let holder = await NoticesStateHolder(notices, words: visit.words)
        await holder.open()
        let state = await holder.state
        guard state.standing == .shown else { return nil }
        return [
            "place": state.place, "needsBrowser": state.needsBrowser,
            "switches": state.switches.map {
                ["id": $0.id, "title": $0.title, "isOn": $0.isOn] as [String: Any]
            },
        ]
    }

    /// The switches of a device for times that it may rest at; without those that cannot be read now.
    private static func rests(_ visit: Visit) async -> [[String: Any]] {
        guard let rests = visit.account?.device?.rests else { return [] }
        var switches = [[String: Any]]()
        for rest in DeviceRest.allCases {
            let holder = await RestStateHolder(rest, rests, words: visit.words)
            await holder.open()
            let state = await holder.state
            guard state.standing == .shown else { continue }
            switches.append([
                "id": rest.rawValue, "title": state.title, "lead": state.lead, "label": state.label,
                "isOn": state.rests,
            ])
        }
        return switches
    }

    private func question(_ device: SettingsState.Device, _ visit: Visit) -> Response {
        let words = visit.words
        let title = words.filled(.signOutOneTitle, device.name)
        let context: [String: Any] = [
            "link": Destination.settings.link, "icon": "leave", "heading": title, "lead": words[.signOutOneLead],
            "act": Act.signOut.rawValue, "yes": words[.signOut], "ofDevice": ["device": device.id],
        ]
        return writer.page(.question, context, title: title, visit: visit)
    }

    private func question(_ visit: Visit) -> Response {
        let words = visit.words
        let context: [String: Any] = [
            "link": Destination.settings.link, "icon": "leave", "heading": words[.signOutOthersTitle],
            "lead": words[.signOutOthersLead], "act": Act.signOutOthers.rawValue, "yes": words[.signOutOthers],
        ]
        return writer.page(.question, context, title: words[.signOutOthersTitle], visit: visit)
    }

    private func holder(_ visit: Visit) async -> SettingsStateHolder {
        await SettingsStateHolder(
            visit.person.settings, email: visit.person.user.email, words: visit.words, clock: visit.clock)
    }

    private static func icon(_ about: String) -> String {
        if about.hasPrefix("web") { return "browser" }
        return about.hasPrefix("ios") || about.hasPrefix("android") ? "phone" : "device"
    }
}
