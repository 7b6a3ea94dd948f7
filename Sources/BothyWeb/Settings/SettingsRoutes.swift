import BothyClient
import BothyContract
import BothyPresentation
import HTTPTypes
import Hummingbird

/// `/settings`: the account's devices, and its password.
struct SettingsRoutes: Sendable {
    /// What the buttons are called: `act` in the form.
    enum Act: String, Sendable {
        case signOut = "sign-out"
        case askToSignOutOthers = "ask-others"
        case signOutOthers = "others"
        case changePassword = "password"
    }

    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.settings.link, show), .form(Destination.settings.link, act)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let holder = await holder(visit)
        await holder.open()
        let state = await holder.state
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        let context: [String: Any] = [
            "link": Destination.settings.link, "mail": state.email, "hasOthers": state.hasOthers,
            "release": Release.version,
            "devices": state.devices.map {
                [
                    "id": $0.id, "name": $0.name, "about": $0.about, "isThis": $0.isThis, "isOther": !$0.isThis,
                    "icon": Self.icon($0.about),
                ] as [String: Any]
            },
        ]
        return writer.page(.settings, context, title: visit.words[.settings], visit: visit)
    }

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let holder = await holder(visit)
        switch form["act"].flatMap({ Act(rawValue: $0) }) {
        case .signOut: await holder.signOut(form["device"] ?? "")
        case .askToSignOutOthers: return question(visit)
        case .signOutOthers: await holder.signOutOthers()
        case .changePassword:
            await holder.changePassword(from: form["old"] ?? "", to: form["new"] ?? "", by: visit.visitor)
        case nil: break
        }
        return writer.redirect(to: Destination.settings.link, visit: visit, saying: await holder.state.notice)
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
