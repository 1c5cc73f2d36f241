using System.Text;

namespace Larder.Cli;

/// <summary>Completion scripts for shells. The scripts contain all words of all commands, so that pressing Tab does not start a program.</summary>
internal static class CompletionScripts
{
    public static string Bash(IReadOnlyList<CompletionRow> rows)
    {
        StringBuilder script = new(
            """
            # bash completion of larder; 'larder completions bash' wrote it.
            _larder() {
              local word=${COMP_WORDS[COMP_CWORD]} path='' at
              for ((at = 1; at < COMP_CWORD; at++)); do
                case "$path ${COMP_WORDS[at]}" in

            """);
        string known = string.Join(" | ", rows.Where(static row => row.Path.Length > 0).Select(static row => $"\" {row.Path}\""));
        script.AppendLine($"      {known}) path=\"$path ${{COMP_WORDS[at]}}\" ;;");
        script.AppendLine("    esac");
        script.AppendLine("  done");
        script.AppendLine("  case $path in");
        foreach (CompletionRow row in rows)
        {
            string pattern = row.Path.Length == 0 ? "''" : $"' {row.Path}'";
            script.AppendLine($"    {pattern}) COMPREPLY=($(compgen -W '{string.Join(' ', row.Words.Select(static word => word.Word))}' -- \"$word\")) ;;");
        }

        script.AppendLine("  esac");
        script.AppendLine("}");
        script.Append("complete -o default -F _larder larder ./larder");
        return script.ToString();
    }

    public static string Zsh(IReadOnlyList<CompletionRow> rows)
    {
        StringBuilder script = new(
            """
            #compdef larder
            # zsh completion of larder; 'larder completions zsh' wrote it.
            _larder() {
              local path='' at
              for ((at = 2; at < CURRENT; at++)); do
                case "$path ${words[at]}" in

            """);
        string known = string.Join("|", rows.Where(static row => row.Path.Length > 0).Select(static row => $"' {row.Path}'"));
        script.AppendLine($"      {known}) path=\"$path ${{words[at]}}\" ;;");
        script.AppendLine("    esac");
        script.AppendLine("  done");
        script.AppendLine("  local -a candidates");
        script.AppendLine("  case $path in");
        foreach (CompletionRow row in rows)
        {
            string candidates = string.Join(
                ' ',
                row.Words.Select(static word => Quoted($"{word.Word.Replace(":", "\\:", StringComparison.Ordinal)}:{word.Meaning}")));
            script.AppendLine($"    {(row.Path.Length == 0 ? "''" : $"' {row.Path}'")}) candidates=({candidates}) ;;");
        }

        script.AppendLine("  esac");
        script.AppendLine("  _describe larder candidates || _files");
        script.AppendLine("}");
        script.Append("compdef _larder larder");
        return script.ToString();
    }

    public static string Fish(IReadOnlyList<CompletionRow> rows)
    {
        StringBuilder script = new("# fish completion of larder; 'larder completions fish' wrote it.\n");
        foreach (CompletionRow row in rows)
        {
            string[] path = row.Path.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            string when = path.Length == 0 ? "__fish_use_subcommand" : string.Join("; and ", path.Select(static word => $"__fish_seen_subcommand_from {word}"));
            foreach ((string word, string meaning) in row.Words)
            {
                string what = word.StartsWith("--", StringComparison.Ordinal) ? $"-l {word[2..]}" : $"-f -a {word}";
                script.Append($"complete -c larder -n {Quoted(when)} {what} -d {Quoted(meaning)}\n");
            }
        }

        return script.ToString().TrimEnd('\n');
    }

    // Returns a text in single quotes. Within single quotes, a shell treats all characters literally except the quote itself.
    private static string Quoted(string text) => $"'{text.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
