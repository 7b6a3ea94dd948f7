extension Words {
    public static let english = Words(
        language: "en",
        phrases: Dictionary(uniqueKeysWithValues: Phrase.allCases.map { ($0, english($0)) }),
        months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        counted: Counted(
            items: { $0 == 1 ? "1 item" : "\(grouped($0)) items" },
            selected: { "\(grouped($0)) selected" },
            select: { "Select \($0)" },
            used: { used, limit in limit.map { "\(used) of \($0) used" } ?? "\(used) used" },
            made: { "“\($0)” is there." },
            trashed: { "\(things($0)) moved to the trash." },
            moved: { "\(things($0)) moved." },
            copied: { "\(things($0)) copied." },
            broughtBack: { "\(things($0)) brought back." },
            date: { day, month, year in year.map { "\(day) \(month) \($0)" } ?? "\(day) \(month)" }))

    private static func things(_ count: Int) -> String { count == 1 ? "1 item was" : "\(grouped(count)) items were" }

    /// «12,345».
    private static func grouped(_ number: Int) -> String {
        var text = String(number)
        var place = text.endIndex
        while let next = text.index(place, offsetBy: -3, limitedBy: text.startIndex), next > text.startIndex {
            text.insert(",", at: next)
            place = next
        }
        return text
    }

    private static func english(_ phrase: Phrase) -> String {
        switch phrase {
        case .appName: "Bothy"
        case .files: "Files"
        case .skipToContent: "Skip to the files"
        case .menu: "Menu"
        case .signOut: "Sign out"
        case .close: "Close"
        case .cancel: "Cancel"
        case .back: "Back"
        case .tryAgain: "Try again"
        case .noScript: "Scripts are off: you can look at your files and download them."
        case .signIn: "Sign in"
        case .signInTitle: "Welcome back"
        case .signInLead: "Your files, photos and notes, at hand wherever you are."
        case .email: "Email"
        case .password: "Password"
        case .createAccount: "Create account"
        case .createAccountTitle: "Make yourself at home"
        case .createAccountLead: "This is a new server, and you are the first one here."
        case .setupCode: "Setup code or invite"
        case .setupCodeHint: "Printed by the server when it started. On the server’s own machine you need none."
        case .showPassword: "Show password"
        case .signInInstead: "I have an account already"
        case .createInstead: "I have an invite"
        case .passwordHint: "At least 8 characters."
        case .signedOutNotice: "You are signed out."
        case .signInAgain: "Sign in again; what was sent is kept."
        case .name, .sortName: "Name"
        case .modified, .sortModified: "Modified"
        case .size, .sortSize: "Size"
        case .list: "List"
        case .grid: "Grid"
        case .sortBy: "Sort by"
        case .ascending: "ascending"
        case .descending: "descending"
        case .emptyRootTitle: "Nothing here yet"
        case .emptyRootLead: "What you put into Bothy from any of your devices shows up here, at once."
        case .emptyFolderTitle: "This folder is empty"
        case .emptyFolderLead: "What is put in here from any of your devices shows up at once."
        case .folderGoneTitle: "This folder is gone"
        case .folderGoneLead: "It was deleted or put into the trash, on this device or another one."
        case .showMore: "Show more"
        case .showEarlier: "Show earlier"
        case .selectAll: "Select all"
        case .clearSelection: "Clear selection"
        case .starred: "Starred"
        case .waitingToBeSent: "Waiting to be sent"
        case .breadcrumbs: "Where you are"
        case .contents: "Contents"
        case .live: "In step"
        case .reconnecting: "No connection. Trying again…"
        case .keysHint: "Arrow keys move, Enter opens, Space selects."
        case .newFolder: "New folder"
        case .untitledFolder: "Untitled folder"
        case .create: "Create"
        case .rename: "Rename"
        case .move: "Move"
        case .copy: "Copy"
        case .moveHere: "Move here"
        case .copyHere: "Copy here"
        case .chooseFolder: "Choose a folder"
        case .noFolders: "No folders in here"
        case .star: "Star"
        case .trash: "Move to trash"
        case .undo: "Undo"
        case .selection: "Selected files"
        case .upload: "Upload"
        case .uploads: "Uploads"
        case .uploadFiles: "Files"
        case .uploadFolder: "A folder"
        case .uploadPhoto: "Take a photo"
        case .uploadDrop: "Drop to put it into “#1”"
        case .uploadWaiting: "Waiting"
        case .uploadPaused: "Paused"
        case .uploadAsking: "The name is taken"
        case .uploadSent: "#1 of #2"
        case .uploadRate: "#1/s"
        case .secondsLeft: "#1 s left"
        case .minutesLeft: "#1 min left"
        case .hoursLeft: "#1 h left"
        case .uploadUnfinished: "#1 of #2 are here. Choose the same file again to go on."
        case .uploadingOne: "Uploading 1 file"
        case .uploadingMany: "Uploading #1 files"
        case .uploadedOne: "1 file is there"
        case .uploadedMany: "#1 files are there"
        case .uploadFailedOne: "1 file did not go"
        case .uploadFailedMany: "#1 files did not go"
        case .uploadOffline: "No connection. It goes on by itself."
        case .uploadUnreadable: "It cannot be read: it was moved, changed or is not yours to read. Choose it again."
        case .uploadHeld: "Held until that is settled"
        case .uploadFinishing: "Almost there…"
        case .pasted: "Pasted"
        case .pause: "Pause"
        case .resume: "Go on"
        case .pauseAll: "Pause all"
        case .resumeAll: "Go on with all"
        case .startOver: "Start over"
        case .clearList: "Clear the list"
        case .nameTaken: "“#1” is there already"
        case .nameTakenLead: "There is something of this name in the folder. What should become of the new file?"
        case .replace: "Replace"
        case .replaceHint: "The old one stays among its versions."
        case .keepBoth: "Keep both"
        case .keepBothHint: "The new one gets a number."
        case .skip: "Skip"
        case .skipHint: "The new one stays out."
        case .forAll: "The same for all that follow"
        case .download: "Download"
        case .open: "Open"
        case .details: "Details"
        case .previewNone: "This kind of file has no preview"
        case .previewNoneLead: "Download it to open it on your device."
        case .textCutShort: "Only the beginning is shown. Download the file to see all of it."
        case .type: "Type"
        case .location: "Where"
        case .previous: "Previous"
        case .next: "Next"
        case .failedTitle: "That did not work"
        case .notFoundTitle: "This is not here"
        case .notFoundLead: "It may have been deleted or moved, or it belongs to somebody else."
        case .goToFiles: "Go to your files"
        case .wrongHostTitle: "This server does not know itself by this name"
        case .wrongHostLead: "Open it by the address that it printed, or start it with --public-url."
        case .formOld: "This page was open for too long. Try again."
        case .kindFolder: "Folder"
        case .kindImage: "Picture"
        case .kindVideo: "Video"
        case .kindAudio: "Sound"
        case .kindPDF: "PDF"
        case .kindText: "Text"
        case .kindCode: "Code"
        case .kindArchive: "Archive"
        case .kindDocument: "Document"
        case .kindSheet: "Spreadsheet"
        case .kindSlides: "Slides"
        case .kindOther: "File"
        case .storage: "Storage"
        }
    }
}
