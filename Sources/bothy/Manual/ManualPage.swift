import Foundation

/// The manual page, in roff, made from the commands themselves so that none can be missing.
///
/// man-pages(7) and groff_man(7) say how one is written.
struct ManualPage {
    private let root: CommandDescription
    private let version: String

    /// - Parameter help: what ArgumentParser dumps of the whole tool, in JSON.
    init(help: String, version: String) throws {
        root = try JSONDecoder().decode(CommandDescription.Tool.self, from: Data(help.utf8)).command
        self.version = version
    }

    var text: String {
        var lines = [
            ".TH BOTHY 1 \"\" \"Bothy \(version)\" \"User Commands\"", ".SH NAME",
            "bothy \\- \(Self.escaped(root.abstract ?? ""))", ".SH SYNOPSIS", ".B bothy", ".I command",
            "[\\fIoptions\\fR] [\\fIarguments\\fR]", ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(root.discussion)
        lines += [Self.commonOptions, ".SH COMMANDS"]
        for command in root.all.dropFirst() { lines += Self.section(command) }
        lines += ["", Self.rest]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Options that are told of once for all commands.
    private static let common: Set<String> = ["help", "json", "quiet"]

    private static func section(_ command: CommandDescription) -> [String] {
        let arguments = (command.arguments ?? []).filter {
            $0.shouldDisplay && $0.names?.contains { common.contains($0.name) } != true
        }
        let positionals = arguments.filter { $0.kind == "positional" }.map { argument in
            argument.isOptional ? "[\(argument.synopsis)]" : argument.synopsis
        }
        let usage = ([command.fullName] + positionals).joined(separator: " ")
        var lines = [".SS \"\(escaped(usage))\"", escaped(command.abstract ?? "")]
        lines += paragraphs(command.discussion)
        for argument in arguments {
            lines += [".TP", "\\fB\(escaped(argument.synopsis))\\fR", escaped(argument.abstract ?? "")]
            if let value = argument.defaultValue { lines.append(escaped("Default: \(value).")) }
        }
        return lines
    }

    private static func paragraphs(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.components(separatedBy: "\n\n").flatMap { [".PP", escaped($0)] }
    }

    /// Backslashes and hyphens mean something in roff, and so does a dot or an apostrophe that begins a line.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
            .joined(separator: "\n")
    }

    private static let commonOptions = #"""
        .SH COMMON OPTIONS
        .TP
        .B \-\-json
        Print JSON: one document, or one object a line. \fIdocs/json.md\fR has the shapes. All commands take it but
        \fBcompletion\fR; the bytes of a file on standard output are never JSON.
        .TP
        .BR \-q , \~\-\-quiet
        Print nothing but errors and what was asked for.
        .TP
        .BR \-h , \~\-\-help
        Show the command's options.
        """#

    private static let rest = #"""
        .SH EXIT STATUS
        .TP
        .B 0
        Done.
        .TP
        .B 1
        Failed.
        .TP
        .B 2
        Wrong usage.
        .TP
        .B 3
        Sign\-in needed.
        .TP
        .B 4
        Not found, or in conflict with an existing file.
        .TP
        .B 5
        Partly done: some items failed.
        .TP
        .B 6
        Saved on this device, to be sent when there is a connection.
        .TP
        .B 130
        Stopped by Ctrl\-C. What has arrived is kept.
        .SH ENVIRONMENT
        .TP
        .B BOTHY_HOME
        The folder that is this device: its session, its transfers, its settings.
        Each such folder is one device of one account.
        Default: \fI$XDG_DATA_HOME/bothy\fR, else \fI~/.local/share/bothy\fR.
        .TP
        .B BOTHY_AGENT
        Commands that leave work for later start the agent; \fBoff\fR prevents that, for scripts and containers.
        .TP
        .B BOTHY_CA_FILE
        A PEM file of certificates to trust besides the system's, for a server with its own certificate authority.
        .TP
        .B BOTHY_\fISETTING\fR
        A server's settings; \fBbothy server \-\-help\fR lists them.
        .SH FILES
        .TP
        .I $BOTHY_HOME/secrets
        This device's sign-in; only its owner can read it.
        .TP
        .I $BOTHY_HOME/client.sqlite
        Transfers and settings.
        .SH EXAMPLES
        .nf
        bothy login \-\-server https://files.example.org \-\-email you@example.org
        bothy put report.pdf photos /backup/
        tar c project | bothy put \- /project.tar
        bothy get /backup/photos .
        bothy history /backup/report.pdf
        bothy restore /backup/report.pdf 3f9a2c
        bothy ls \-\-json /backup | jq \-r .name
        .fi
        .SH SEE ALSO
        .BR rsync (1),
        .BR curl (1)
        """#
}
