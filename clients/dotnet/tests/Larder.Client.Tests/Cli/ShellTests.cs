using System.Runtime.Versioning;
using System.Text;
using Larder.Cli;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

public sealed class ShellTests
{
    [Theory]
    [InlineData("set a b", "set", "a", "b")]
    [InlineData("  set  'a b' \"c \\\" d\" e\\ f ", "set", "a b", "c \" d", "e f")]
    [InlineData("set '' 'x'y", "set", "", "xy")]
    [InlineData("")]
    public void ShellWords_splits_a_line_like_a_shell(string line, params string[] words) => Assert.Equal(words, ShellWords.Split(line));

    [Theory]
    [InlineData("set 'a")]
    [InlineData("set \"a")]
    [InlineData("set a\\")]
    public void ShellWords_rejects_an_unfinished_line(string line) => Assert.Throws<FormatException>(() => ShellWords.Split(line));

    [Fact]
    public async Task Shell_runs_piped_lines_until_the_first_failure()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        byte[] lines = Encoding.UTF8.GetBytes("# a script\nset a 'b c'\n\nlarder get a\nget none\nget a\n");
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], lines);
        Assert.Equal((3, "stored\nb c\n", "not found\nline 5 failed with exit code 3\n"), (run.Code, run.Text, run.Error));
    }

    [Fact]
    public void Tab_completes_commands_and_options()
    {
        CommandLine commands = new();
        IReadOnlyList<CompletionRow> rows = CompletionRow.Of(commands.Root);
        LineEditor editor = new([], before => ShellCompletion.WordsAfter(rows, before));
        Type(editor, "cac\tf\t");
        Assert.Equal("caches flush ", editor.Text);
        Type(editor, "--t\t");
        Assert.Equal("caches flush --t", editor.Text);
        Assert.Equal(["--timeout-ms", "--token"], editor.Candidates);
        Type(editor, "o\t");
        Assert.Equal("caches flush --token ", editor.Text);
    }

    [Fact]
    public void Line_editor_recalls_history_and_keeps_the_unfinished_line()
    {
        LineEditor editor = new(["one", "two"], static _ => []);
        Type(editor, "new");
        Press(editor, ConsoleKey.UpArrow, ConsoleKey.UpArrow, ConsoleKey.UpArrow);
        Assert.Equal("one", editor.Text);
        Press(editor, ConsoleKey.DownArrow, ConsoleKey.DownArrow, ConsoleKey.DownArrow);
        Assert.Equal("new", editor.Text);
        Press(editor, ConsoleKey.Home, ConsoleKey.Delete, ConsoleKey.End, ConsoleKey.Backspace, ConsoleKey.LeftArrow);
        Type(editor, "x");
        Assert.Equal(("xe", 1), (editor.Text, editor.Cursor));
        Assert.Equal(LineOutcome.Entered, editor.Take(new ConsoleKeyInfo('\r', ConsoleKey.Enter, false, false, false)));
        Assert.Equal(LineOutcome.Dropped, editor.Take(new ConsoleKeyInfo('\x3', ConsoleKey.C, false, false, control: true)));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public void History_file_is_private_and_contains_no_tokens()
    {
        string folder = Directory.CreateTempSubdirectory("larder-history-").FullName;
        string path = Path.Combine(folder, "larder", "history");
        LineHistory history = new(path);
        foreach (string line in (string[])["get a", "get a", "get a --token s3cret", "get a --server http://s3cret@h", " "])
        {
            history.Add(line);
        }

        history.Save();
        Assert.Equal(["get a"], new LineHistory(path).Lines);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("larder", "ge", "get")]
    [InlineData("larder caches", "fl", "flush")]
    [InlineData("larder zset", "r", "rank remove")]
    [InlineData("larder dict set d f v", "--no", "--no-refresh")]
    [InlineData("larder set k v", "--tt", "--ttl --ttl-seconds")]
    [InlineData("larder token", "n", "new")]
    [InlineData("larder token new", "--e", "--expires")]
    [InlineData("larder token check", "n", "")]
    public async Task Bash_completion_script_suggests_matching_words(string before, string part, string words)
    {
        CliRun script = await CliProgram.RunAsync("http://127.0.0.1:1", ["completions", "bash"]);
        string ask = $"{script.Text}\nCOMP_WORDS=({before} {part}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _larder; echo \"${{COMPREPLY[*]}}\"";
        CliRun bash = await CliProgram.RunAsync("", "bash", ["--norc", "-c", ask]);
        Assert.Equal((words + "\n", ""), (bash.Text, bash.Error));
    }

    [Fact]
    public void Zsh_and_fish_completion_scripts_contain_commands_and_options()
    {
        CommandLine commands = new();
        IReadOnlyList<CompletionRow> rows = CompletionRow.Of(commands.Root);
        Assert.Contains("' caches flush') candidates=(", CompletionScripts.Zsh(rows), StringComparison.Ordinal);
        Assert.Contains("'--ttl:", CompletionScripts.Zsh(rows), StringComparison.Ordinal);
        Assert.Contains(
            "__fish_seen_subcommand_from caches; and __fish_seen_subcommand_from flush' -l token",
            CompletionScripts.Fish(rows),
            StringComparison.Ordinal);
        Assert.All(commands.Root.Subcommands, command => Assert.Contains($"-f -a {command.Name} ", CompletionScripts.Fish(rows), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" new")]
    [InlineData(" check")]
    [InlineData(" list")]
    [InlineData(" key")]
    public async Task Token_completions_match_the_commands_of_the_server_program(string command)
    {
        string server = Path.Combine(AppContext.BaseDirectory, "larder-server.dll");
        string[] words = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        CliRun help = await CliProgram.RunAsync("", "dotnet", [server, "token", .. words, "--help"]);
        string[] lines = help.Text.Split(command.Length == 0 ? "Commands:" : "Options:")[^1].Split('\n');
        IEnumerable<string> known = lines.Where(static line => line.StartsWith("  ", StringComparison.Ordinal))
            .Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0])
            .Where(word => command.Length == 0 || word.StartsWith("--", StringComparison.Ordinal));
        CompletionRow row = CompletionRow.Of(new CommandLine().Root).Single(row => row.Path == $"token{command}");
        Assert.Equal(known.Order(StringComparer.Ordinal), row.Words.Select(static word => word.Word).Order(StringComparer.Ordinal));
    }

    private static void Type(LineEditor editor, string text)
    {
        foreach (char c in text)
        {
            editor.Take(new ConsoleKeyInfo(c, c == '\t' ? ConsoleKey.Tab : ConsoleKey.None, false, false, false));
        }
    }

    private static void Press(LineEditor editor, params ConsoleKey[] keys)
    {
        foreach (ConsoleKey key in keys)
        {
            editor.Take(new ConsoleKeyInfo('\0', key, false, false, false));
        }
    }
}
