import ArgumentParser
import Foundation

/// The completion script for a shell: ArgumentParser's, with the parts replaced through which a name from the server
/// could be evaluated.
///
/// The generated bash script hands candidates to `compgen -W`, which expands them like a command line: a remote file
/// called `$(reboot)` would run when someone presses Tab. Ours takes the lines as they are; bash's are quoted by
/// `RemoteNames` already, zsh and fish quote what they insert.
enum CompletionScript {
    static func text(for shell: CompletionShell) -> String {
        let script = Bothy.completionScript(for: shell)
        return switch shell {
        case .bash: safeForBash(script)
        case .zsh: safeForZsh(script)
        default: script
        }
    }

    static func safeForBash(_ script: String) -> String {
        let call = "__bothy_add_completions -W \"$(__bothy_custom_complete "
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard let range = line.range(of: call), line.hasSuffix(")\"") else { return String(line) }
            return line[..<range.lowerBound] + "__bothy_offer_names " + line[range.upperBound...].dropLast(2)
        }
        let end = "\ncomplete -o filenames -F "
        return lines.joined(separator: "\n").replacing(end, with: "\n" + bashOffer + end)
    }

    private static let bashOffer = """
        # Takes each line that bothy prints as one candidate, already quoted, and evaluates none of it.
        __bothy_offer_names() {
            local name
            compopt +o filenames -o nospace
            while IFS='' read -r name; do
                [[ -n "${name}" ]] || continue
                # A folder is gone into; anything else is finished with a blank.
                [[ "${name}" = */ ]] || name+=' '
                COMPREPLY+=("${name}")
            done < <(__bothy_custom_complete "${@}" 2>/dev/null)
        }

        """

    static func safeForZsh(_ script: String) -> String {
        let head = "__bothy_custom_complete() {\n"
        guard let start = script.range(of: head),
            let end = script.range(of: "\n}\n", range: start.upperBound..<script.endIndex)
        else { return script }
        return script[..<start.lowerBound] + zshOffer + script[end.upperBound...]
    }

    private static let zshOffer = """
        # Takes each line that bothy prints as one candidate; compadd quotes what it inserts.
        __bothy_custom_complete() {
            local -a names
            names=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}" 2>/dev/null)"}")
            local -a folders=("${(M@)names:#*/}")
            local -a files=("${(@)names:#(*/| |)}")
            (( ${#folders} )) && compadd -S '' -- "${folders[@]}"
            (( ${#files} )) && compadd -- "${files[@]}"
        }

        """
}
