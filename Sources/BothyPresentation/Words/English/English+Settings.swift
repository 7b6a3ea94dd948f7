/// In English: settings, and what a person is told of while they do not look.
extension English {
    static let settings: [Phrase: String] = [
        // Settings.
        .settings: "Settings",
        .devices: "Devices",
        .devicesLead: "Everything that is signed in to this account. Signing one out ends it at once.",
        .thisDevice: "This device",
        .thisBrowser: "This browser",
        .browserOn: "#1 on #2",
        .aBrowser: "A browser",
        .signOutOthers: "Sign out everywhere else",
        .signOutOthersTitle: "Sign out everywhere else?",
        .signOutOthersLead: "Every other device has to sign in again. What it has not sent yet stays on it.",
        .changePassword: "Change password",
        .changePasswordLead: "Every other device is signed out, and signs in with the new one.",
        .currentPassword: "Current password",
        .newPassword: "New password",
        .passwordChanged: "Your password is changed, and every other device is signed out.",

        // What a person is told of while they do not look.
        .notices: "Notifications",
        .noticesLead: "What you want to be told of while you do not look at Bothy.",
        .noticesDesktop: "They show on this device’s desktop.",
        .noticesNoDesktop: "No desktop here shows them. A browser can, as long as a page of Bothy is open in it.",
        .noticesBrowser: "Let this browser show them",
        .noticesSaved: "You are told of what you chose.",
        .save: "Save",
        .noticeConflict: "Something to decide",
        .noticeConflictOne: "“#1” was changed here and elsewhere, and waits for you.",
        .noticeConflictMany: "“#1” and #2 more were changed here and elsewhere, and wait for you.",
        .noticeHeld: "A folder is held back",
        .noticeHeldOne: "“#1” waits until you have looked.",
        .noticeHeldMany: "“#1” and #2 more wait until you have looked.",
        .noticeFailed: "A transfer does not go on",
        .noticeFailedOne: "“#1” needs you.",
        .noticeFailedMany: "“#1” and #2 more need you.",
        .noticeSignIn: "Sign in again",
        .noticeUpdate: "New from another device",
        .noticeUpdateOne: "“#1” has changed.",
        .noticeUpdateMany: "“#1” and #2 more have changed.",
    ]
}
