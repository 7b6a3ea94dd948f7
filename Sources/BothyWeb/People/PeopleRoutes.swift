import BothyClient
import BothyContract
import BothyPresentation
import Foundation
import HTTPTypes
import Hummingbird

/// `/people`: who is here, and whom a person follows.
struct PeopleRoutes: Sendable {
    let writer: PageWriter

    var screens: [Screen] {
        [.page(Destination.people.link, show), .form(Destination.people.link, act)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        if let handle = visit.query("handle") {
            return await ProfileRoutes(writer: writer).lead(toHandle: handle, visit)
        }
        let holder = await holder(visit)
        let relation = visit.query("of").flatMap { PersonRelation(rawValue: $0) }
        await holder.open(after: visit.query("after"), search: visit.query("q") ?? "", relation)
        let (state, words) = (await holder.state, visit.words)
        if case .failed(let notice) = state.standing { return writer.failed(notice, visit: visit) }
        let link = Self.link(relation)
        var context: [String: Any] = [
            "rows": state.rows.map {
                PersonContext.row($0, isAsking: relation == .requests, from: link, words)
            },
            "hasRows": !state.rows.isEmpty, "isAlone": state.isAlone, "isNobody": state.isNobody, "query": state.search,
            "tabs": Self.tabs(relation, words),
            "nobody": words[state.search.isEmpty ? .peopleNoneHere : .peopleNone],
        ]
        if !state.search.isEmpty { context["nobodyLead"] = words[.peopleNoneLead] }
        if let staleness = state.staleness { context["staleness"] = staleness }
        if let relation { context["of"] = relation.rawValue }
        if case .away(let notice) = state.standing {
            var told = ["text": notice.text]
            told["remedy"] = notice.remedy
            context["away"] = told
        }
        if let next = state.next {
            // Letters and digits alone stay as they are, so it is never nil.
            let query = state.search.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let search = query.isEmpty ? "" : "q=\(query)&"
            context["nextPage"] = link + (relation == nil ? "?" : "&") + search + "after=" + next
        }
        return writer.page(.people, context, title: words[.people], visit: visit)
    }

    private static func link(_ relation: PersonRelation?) -> String {
        Destination.people.link + (relation.map { "?of=\($0.rawValue)" } ?? "")
    }

    private static func tabs(_ current: PersonRelation?, _ words: Words) -> [[String: Any]] {
        let all: [(PersonRelation?, Phrase)] = [
            (nil, .peopleAll), (.suggested, .peopleSuggested), (.following, .peopleFollowing),
            (.followers, .peopleFollowers), (.requests, .peopleRequests), (.muted, .peopleMuted),
            (.blocked, .peopleBlocked),
        ]
        return all.map { ["link": link($0), "title": words[$1], "isCurrent": $0 == current] }
    }

    // MARK: - Acting

    @Sendable private func act(_ visit: Visit, _ form: FormBody) async throws -> Response {
        let (holder, act) = (await holder(visit), form["act"] ?? "")
        if act == "invite" { return await invite(holder, visit) }
        var back = form.from ?? Destination.people.link
        if let id = form["id"].flatMap({ Int64($0) }) {
            let name = form["name"] ?? ""
            switch act {
            case "follow", "unfollow": await holder.setFollowing(act == "follow", id, name: name)
            case "accept", "deny": await holder.answer(act == "accept", to: id, name: name)
            case "remove": await holder.remove(follower: id, name: name)
            case "mute", "unmute": await holder.setMuted(act == "mute", id, name: name)
            case "ask-block": return await question(id, visit)
            case "block":
                let shown = await self.name(of: id, visit)
                await holder.setBlocked(true, id, name: shown)
                back = Destination.people.link
            case "unblock": await holder.setBlocked(false, id, name: name)
            default: break
            }
        }
        return writer.redirect(to: back, visit: visit, saying: await holder.state.notice)
    }

    private func invite(_ holder: PeopleStateHolder, _ visit: Visit) async -> Response {
        await holder.invite()
        guard let code = await holder.state.invite else {
            return writer.redirect(to: Destination.people.link, visit: visit, saying: await holder.state.notice)
        }
        return writer.page(.invite, ["code": code], title: visit.words[.inviteMade], visit: visit)
    }

    private func question(_ id: Int64, _ visit: Visit) async -> Response {
        let words = visit.words
        let title = words.filled(.blockTitle, await name(of: id, visit))
        let context: [String: Any] = [
            "link": Destination.people.link, "ids": [["id": id]], "icon": "people", "heading": title,
            "lead": words[.blockLead], "act": "block", "yes": words[.block],
        ]
        return writer.page(.question, context, title: title, visit: visit)
    }

    private func name(of id: Int64, _ visit: Visit) async -> String {
        let profile = await ProfileStateHolder(visit.person.people, words: visit.words)
        await profile.open(id)
        return await profile.state.person?.name ?? ""
    }

    private func holder(_ visit: Visit) async -> PeopleStateHolder {
        await PeopleStateHolder(visit.person.people, words: visit.words)
    }
}
