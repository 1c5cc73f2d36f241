using System.CommandLine;
using Larder.Cli;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Runs every command with each argument and option missing, empty, too long and of the wrong type.</summary>
public sealed class WrongArgumentsTests
{
    // This text exceeds the maximum length of keys, names and numbers.
    private static readonly string s_long = new('x', 70_000);

    [Fact]
    public async Task Commands_never_print_a_stack_trace()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        CommandLine line = new();
        List<string[]> runs = [];
        HashSet<string> tried = [];
        foreach (Command command in Leaves(line.Root).Where(static command => command.Name is not ("shell" or "monitor" or "stat" or "subscribe")))
        {
            // If several commands share an option, the option is parsed with every command, but only one command is run with it.
            IEnumerable<string[]> worthARun = [.. ArgumentCases(command), .. OptionCases(command).Where(each => tried.Add(each[^1].Split('=')[0]))];
            foreach (string[] words in AllCases(command))
            {
                Assert.NotNull(line.Root.Parse(words));
            }

            runs.AddRange(worthARun.Where(words => line.Root.Parse(words).Errors.Count == 0));
        }

        Assert.InRange(runs.Count, 50, 250);
        await Parallel.ForEachAsync(runs, new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (words, _) =>
        {
            CliRun run = await CliProgram.RunAsync(url, words, input: []);
            Assert.True(run.Code is >= 0 and <= 3 && !run.Error.Contains("   at ", StringComparison.Ordinal), $"{Shown(words)}: {run.Code}\n{run.Error}");
        });
    }

    [Theory]
    [InlineData("expire", "k")]
    [InlineData("help")]
    [InlineData("zset", "increment", "z")]
    public async Task Shell_reports_invalid_line_without_a_stack_trace(params string[] words)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string input = $"set k v\n{string.Join(' ', words)}\n";
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], System.Text.Encoding.UTF8.GetBytes(input));
        Assert.True(run.Code is 0 or 2 && run.Text.StartsWith("stored", StringComparison.Ordinal), run.Error);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("gett", "unknown command 'gett'; did you mean 'get'?")]
    [InlineData("delte", "unknown command 'delte'; did you mean 'delete'?")]
    [InlineData("GET", "unknown command 'GET'; did you mean 'get'?")]
    [InlineData("HELP", "unknown command 'HELP'; did you mean 'help'?")]
    [InlineData("frobnicate", "unknown command 'frobnicate'")]
    public async Task Misspelled_command_suggests_the_nearest_command(string word, string said)
    {
        CliRun run = await CliProgram.RunAsync("http://127.0.0.1:1", [word, "k"]);
        Assert.Equal((2, $"{said}\nRun 'larder --help' for help.\n"), (run.Code, run.Error));
    }

    [Fact]
    public async Task Missing_subcommand_is_an_error_but_native_build_shows_help()
    {
        CliRun run = await CliProgram.RunAsync("http://127.0.0.1:1", []);
        (int code, string said) = CliProgram.IsNative ? (0, "larder COMMAND --help") : (2, "a subcommand is missing; pass one of: get, set, delete, ");
        Assert.Equal(code, run.Code);
        Assert.Contains(said, run.Text + run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("dict", "a subcommand is missing; pass one of: get, set, all, increment, remove, length\nRun 'larder dict --help' for help.\n")]
    [InlineData("help gett", "unknown command 'gett'; did you mean 'get'?\nRun 'larder --help' for help.\n")]
    [InlineData("help dict gett", "unknown command 'gett'; did you mean 'get'?\nRun 'larder dict --help' for help.\n")]
    public async Task Missing_or_unknown_command_is_rejected_with_suggestions(string words, string said)
    {
        CliRun run = await CliProgram.RunAsync("http://127.0.0.1:1", words.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal((2, ""), (run.Code, run.Text));
        Assert.StartsWith(said, run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("help")]
    [InlineData("?")]
    [InlineData("larder help")]
    [InlineData("help get")]
    public async Task Shell_prints_help_for_each_form_of_the_help_command(string line)
    {
        CliRun run = await CliProgram.RunAsync("http://127.0.0.1:1", ["shell"], System.Text.Encoding.UTF8.GetBytes(line + "\n"));
        Assert.Equal((0, ""), (run.Code, run.Error));
        Assert.Contains("Prints an item's value", run.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("get k", 1)]
    [InlineData("get k --json", 1)]
    [InlineData("get k --hex", 1)]
    [InlineData("set k v", 1)]
    [InlineData("ttl k", 1)]
    [InlineData("type k", 1)]
    [InlineData("caches", 1)]
    [InlineData("scan", 1)]
    [InlineData("export", 1)]
    [InlineData("ping", 1)]
    [InlineData("completions bash", 1)]
    [InlineData("--help", 1)]
    [InlineData("get --help", 1)]
    public async Task Command_reports_an_error_if_its_output_device_is_full(string words, int code)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        await CliProgram.RunAsync(url, ["set", "k", "v"]);
        CliRun run = await CliProgram.RunAsync(url, "sh", ["-c", $"{CliProgram.InShell} {words} > /dev/full"]);
        Assert.True(run.Code == code && run.Error.Contains("No space left on device", StringComparison.Ordinal), $"{run.Code}: {run.Error}");
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("export")]
    [InlineData("scan")]
    [InlineData("items d")]
    [InlineData("get large")]
    public async Task Command_ends_silently_if_output_is_closed(string words)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        await using (CacheClient client = server.Connect(Configurations.Laptop.V1()))
        {
            await client.Cache("cache").SetAsync("large", new byte[1 << 20]);
            for (int i = 0; i < 300; i++)
            {
                await client.Cache("cache").SetAsync($"k{i}", new byte[1_000]);
                await client.Cache("cache").DictionarySetFieldAsync("d", $"f{i}", new byte[1_000]);
            }
        }

        CliRun run = await CliProgram.RunAsync(url, "bash", ["-c", $"{CliProgram.InShell} {words} | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}"]);
        Assert.True(run.Code == 0, run.Error);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exit_code_is_unchanged_if_error_output_is_unwritable()
    {
        CliRun run = await CliProgram.RunAsync("http://127.0.0.1:1", "sh", ["-c", $"{CliProgram.InShell} get k 2> /dev/full"]);
        Assert.Equal((1, ""), (run.Code, run.Error));
    }

    private static IEnumerable<Command> Leaves(Command command) =>
        command.Subcommands.Count == 0 ? [command] : command.Subcommands.SelectMany(Leaves);

    // Returns command lines with too few arguments, with too many, with each argument empty, and with all arguments too long.
    private static IEnumerable<string[]> ArgumentCases(Command command)
    {
        string[] path = PathOf(command);
        string[] valid = ValidOf(command);
        for (int given = 0; given <= valid.Length + 1; given++)
        {
            yield return [.. path, .. Enumerable.Repeat("1", given)];
        }

        for (int i = 0; i < valid.Length; i++)
        {
            yield return [.. path, .. valid[..i], "", .. valid[(i + 1)..]];
        }

        yield return [.. path, .. valid.Select(static _ => s_long)];
    }

    private static IEnumerable<string[]> OptionCases(Command command) =>
        OptionsOf(command).Select(option => (string[])[.. PathOf(command), .. ValidOf(command), option.Name]);

    private static IEnumerable<string[]> AllCases(Command command)
    {
        string[] path = PathOf(command);
        string[] valid = ValidOf(command);
        foreach (string wrong in (string[])["", s_long, "wrong type", "-1", "99999999999999999999", "\u0001"])
        {
            for (int i = 0; i < valid.Length; i++)
            {
                yield return [.. path, .. valid[..i], wrong, .. valid[(i + 1)..]];
            }

            foreach (Option option in OptionsOf(command))
            {
                yield return [.. path, .. valid, option.Name];
                yield return [.. path, .. valid, $"{option.Name}={wrong}"];
            }
        }
    }

    private static string[] ValidOf(Command command) => [.. command.Arguments.Select(static _ => "1")];

    private static IEnumerable<Option> OptionsOf(Command command) => command.Options.Where(static option => option.Name is not ("--help" or "--server"));

    private static string[] PathOf(Command command) =>
        command.Parents.OfType<Command>().FirstOrDefault() is { } parent and not RootCommand ? [.. PathOf(parent), command.Name] : [command.Name];

    private static string Shown(string[] words) => string.Join(' ', words.Select(static word => word.Length > 20 ? $"{word[..20]}…" : $"'{word}'"));
}
