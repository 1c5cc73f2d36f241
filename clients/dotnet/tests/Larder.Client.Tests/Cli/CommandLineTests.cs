using System.CommandLine;
using System.Text.Json;
using Larder.Cli;
using Larder.Client.Tests.Support;
using Larder.Harness.Servers;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the output and the exit codes of the command line, run as a process.</summary>
public sealed class CommandLineTests
{
    private const string NoServer = "http://127.0.0.1:1";

    [Fact]
    public async Task Item_commands_set_read_expire_and_delete_an_item()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"larder://127.0.0.1:{server.Port}";
        Assert.Equal((0, "stored\n", ""), await RunAsync(url, null, "set", "k", "v", "--ttl", "90"));
        Assert.Equal((0, "v\n", ""), await RunAsync(url, null, "get", "k"));
        (int code, string remaining, _) = await RunAsync(url, null, "ttl", "k");
        Assert.Equal(0, code);
        Assert.EndsWith(" s\n", remaining, StringComparison.Ordinal);
        Assert.Equal((0, "set\n", ""), await RunAsync(url, null, "expire", "k", "30"));
        Assert.Equal((0, "scalar\n", ""), await RunAsync(url, null, "type", "k"));
        Assert.Equal((3, "", "not found\n"), await RunAsync(url, null, "expire", "none", "30"));
        Assert.Equal((3, "", "not found\n"), await RunAsync(url, null, "type", "none"));
        Assert.Equal((0, "-4\n", ""), await RunAsync(url, null, "increment", "n", "-4"));
        Assert.Equal((0, "gone\n", ""), await RunAsync(url, null, "delete", "k"));
        Assert.Equal((3, "", "not found\n"), await RunAsync(url, null, "get", "k"));
        (int listed, string caches, _) = await RunAsync(url, null, "caches");
        Assert.Equal(0, listed);
        Assert.Contains(" MiB ", caches, StringComparison.Ordinal);
        Assert.Contains(" 1 d ", caches, StringComparison.Ordinal);
        Assert.Equal((0, caches, ""), await RunAsync(url, null, "caches", "list"));
    }

    [Theory]
    [InlineData("seconds, but is 'abc'", "set", "k", "v", "--ttl-seconds", "abc")]
    [InlineData("seconds, but is '0'", "ttl", "k", "0")]
    [InlineData("unknown option '--amount'", "increment", "k", "--amount", "5")]
    [InlineData("unknown option '--tll'", "set", "k", "--tll")]
    [InlineData("unknown option '-x'", "set", "k", "-x")]
    [InlineData("--raw, --hex and --json cannot be combined", "get", "k", "--raw", "--json")]
    [InlineData("key must be hexadecimal, two digits per byte, but is 'xyz'", "get", "xyz", "--hex-key")]
    [InlineData("--ca: ", "get", "k", "--ca", "/nowhere/ca.pem")]
    [InlineData("--cert and --key must be passed together", "get", "k", "--cert", "/nowhere/client.pem")]
    [InlineData("/none.pem' cannot be read", "get", "k", "--server", "https://127.0.0.1:1", "--cert", "/none.pem", "--key", "/none.key")]
    [InlineData("TLS options require an https:// address", "get", "k", "--server", "127.0.0.1:1", "--server-name", "cache.example")]
    [InlineData("Could not find file", "import", "/tmp/larder-no-such-file")]
    [InlineData("--timeout-ms must be 1 to 3600000 milliseconds, but is 'x'", "get", "k", "--timeout-ms", "x")]
    [InlineData("--timeout-ms must be 1 to 3600000 milliseconds, but is '3600001'", "get", "k", "--timeout-ms", "3600001")]
    [InlineData("Run 'larder get --help' for help", "get", "k", "--nonsense")]
    [InlineData("'larder caches create --help'", "caches", "create")]
    [InlineData("--server: Invalid server address 'http://…@h/path'", "get", "k", "--server", "http://s3cret@h/path")]
    [InlineData("InvalidArgument", "get", "k", "--cache", " ")]
    [InlineData("must be host:port", "stats", "--console", "a b")]
    [InlineData("must be host:port", "snapshot", "--console", "a b")]
    public async Task Invalid_command_explains_the_error_and_exits_with_2(string why, params string[] arguments)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        (int code, string output, string error) = await RunAsync($"http://127.0.0.1:{server.Port}", null, arguments);
        Assert.Equal((2, ""), (code, output));
        Assert.Contains(why, error, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cret", error, StringComparison.Ordinal);
        Assert.DoesNotContain("System.", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Snapshot_command_writes_a_file_or_prints_the_error()
    {
        string folder = Directory.CreateTempSubdirectory("larder-cli-").FullName;
        try
        {
            await using RunningServer with = await RunningServer.StartAsync(snapshot: Path.Combine(folder, "cache.snapshot"));
            (int code, string output, string error) = await RunAsync(NoServer, null, "snapshot", "--console", $"127.0.0.1:{with.ConsolePort}");
            Assert.Equal((0, ""), (code, error));
            Assert.Matches("^0 entries, [0-9]+ bytes, in [0-9.]+ s\n$", output);
            Assert.True(File.Exists(Path.Combine(folder, "cache.snapshot")));
            await using RunningServer without = await RunningServer.StartAsync();
            (code, output, error) = await RunAsync(NoServer, null, "snapshot", "--console", $"127.0.0.1:{without.ConsolePort}");
            Assert.Equal((1, "", "Cannot write the snapshot: this server has no snapshot file; start it with --snapshot FILE\n"), (code, output, error));
            (code, _, error) = await RunAsync(NoServer, null, "snapshot", "--console", "127.0.0.1:1");
            Assert.Equal(1, code);
            Assert.Contains("Pass the address of the console with --console", error, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Error_names_the_invalid_environment_variable()
    {
        (int code, _, string error) = await RunAsync("http://127.0.0.1:99999", null, "get", "k");
        Assert.Equal(2, code);
        Assert.StartsWith("LARDER_URL: Invalid server address 'http://127.0.0.1:99999'", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Token_file_in_the_environment_is_used_without_another_token()
    {
        await using RunningServer server = await RunningServer.StartAsync(token: "right");
        string url = $"http://127.0.0.1:{server.Port}";
        string file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, "right\r\nsecond line\n");
            Assert.Equal(0, (await CliProgram.RunAsync(url, ["ping"], tokenFile: file)).Code);
            Assert.Equal(1, (await CliProgram.RunAsync(url, ["ping"], token: "wrong", tokenFile: file)).Code);
            Assert.Equal(1, (await CliProgram.RunAsync(url, ["ping", "--token", "wrong"], tokenFile: file)).Code);
            await File.WriteAllTextAsync(file, "\nright\n");
            CliRun empty = await CliProgram.RunAsync(url, ["ping"], tokenFile: file);
            Assert.Equal((2, true), (empty.Code, empty.Error.Contains("LARDER_TOKEN_FILE: the first line of", StringComparison.Ordinal)));
            CliRun missing = await CliProgram.RunAsync(url, ["ping"], tokenFile: file + ".missing");
            Assert.Equal(2, missing.Code);
            Assert.Contains("LARDER_TOKEN_FILE: cannot read the token file: Could not find file", missing.Error, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task Token_in_the_address_overrides_the_environment_token()
    {
        await using RunningServer server = await RunningServer.StartAsync(token: "right");
        string plain = $"http://127.0.0.1:{server.Port}";
        string wrong = $"http://wrong@127.0.0.1:{server.Port}";
        Assert.Equal(0, (await RunAsync(plain, "right", "set", "k", "v")).Code);
        Assert.Equal(1, (await RunAsync(wrong, "right", "get", "k")).Code);
        Assert.Equal(1, (await RunAsync(plain, "right", "get", "k", "--server", wrong)).Code);
        Assert.Equal(0, (await RunAsync(wrong, null, "get", "k", "--token", "right")).Code);
    }

    [Fact]
    public async Task Unreachable_server_is_reported_once_in_one_line()
    {
        (int code, string output, string error) = await RunAsync(NoServer, null, "get", "k");
        const string Reason = "Unavailable: No connection: Connection refused (127.0.0.1:1): no server is listening on this address; "
            + "start one with 'larder serve', or pass --server\n";
        Assert.Equal((1, "", Reason), (code, output, error));
    }

    [Theory]
    [InlineData("larder set <key> [<value>]", "larder set picture - < picture.png", "set")]
    [InlineData("larder get <key>", "larder get greeting --json", "get")]
    [InlineData("larder caches flush <name>", "larder caches flush sessions", "caches", "flush")]
    [InlineData("for sets of elements, see 'larder sets'", "larder set flag -- --verbose", "set")]
    [InlineData("larder dict set <name> <field value>...", "larder dict set user:1 picture - < picture.png", "dict", "set")]
    [InlineData("larder zset [command]", "larder zset all board --descending --scores", "zset")]
    public async Task Help_shows_usage_and_an_example(string usage, string example, params string[] command)
    {
        (int code, string output, _) = await RunAsync(NoServer, null, [.. command, "--help"]);
        Assert.Equal(0, code);
        Assert.Contains(usage, output, StringComparison.Ordinal);
        Assert.Contains(example, output, StringComparison.Ordinal);
        Assert.DoesNotContain("Larder.Cli", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_does_not_show_long_MaxValue_as_default()
    {
        foreach (string command in (string[])["subscribe", "monitor", "stat"])
        {
            (int code, string output, _) = await RunAsync(NoServer, null, command, "--help");
            Assert.Equal(0, code);
            Assert.Contains("default: unlimited, until Ctrl+C", output, StringComparison.Ordinal);
            Assert.DoesNotContain($"{long.MaxValue}", output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Every_command_has_a_valid_example()
    {
        CommandLine line = new();
        Stack<Command> left = new(line.Root.Subcommands);
        while (left.TryPop(out Command? command))
        {
            IReadOnlyList<string> examples = Assert.IsType<ExampleCommand>(command).Examples;
            Assert.NotEmpty(examples);
            foreach (string example in examples.Where(static example => !example.Contains('|', StringComparison.Ordinal)))
            {
                string[] words = example.Split(['<', '>'])[0].Split(' ', StringSplitOptions.RemoveEmptyEntries)[1..];
                ParseResult parsed = line.Root.Parse(words);
                Command meant = parsed.CommandResult.Command;

                // An example of a command that only groups subcommands must show one of these subcommands. Any other example must show its own command.
                Assert.True(command.Action is null ? command.Subcommands.Contains(meant) : command == meant, example);
                Assert.Empty(parsed.Errors);
                Assert.Empty(OptionCheck.Unknown(meant, words));
            }

            foreach (Command sub in command.Subcommands)
            {
                left.Push(sub);
            }
        }
    }

    [Fact]
    public async Task Console_port_defaults_to_server_port_plus_one()
    {
        (int code, _, string error) = await RunAsync("http://127.0.0.1:1", null, "stats");
        Assert.Equal(1, code);
        Assert.Contains("http://127.0.0.1:2/stats", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stats_prints_a_text_page_or_json()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        await RunAsync(url, null, "set", "k", "v");
        (int code, string page, _) = await RunAsync(url, null, "stats", "--console", server.Console);
        Assert.Equal(0, code);
        Assert.InRange(page.Split('\n').Length, 5, 50);
        Assert.Contains("1 entries", page, StringComparison.Ordinal);
        (_, string json, _) = await RunAsync(url, null, "stats", "--json", "--console", server.Console);
        using JsonDocument document = JsonDocument.Parse(json);
        Assert.Equal(1, document.RootElement.GetProperty("store").GetProperty("total").GetProperty("entries").GetInt64());
        (code, string lines, _) = await RunAsync(url, null, "stat", "--every", "0.05", "--count", "2", "--console", server.Console);
        Assert.Equal((0, 3), (code, lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length));
    }

    [Fact]
    public async Task Monitor_prints_calls_and_escapes_their_keys()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        Task<CliRun> monitor = CliProgram.RunAsync(url, ["monitor", "--count", "3", "--cache", "cache", "--console", server.Console]);
        while (!monitor.IsCompleted)
        {
            await RunAsync(url, null, "set", "evil\u001b[2Jkey", "never shown");
        }

        CliRun run = await monitor;
        Assert.Equal((0, ""), (run.Code, run.Error));
        // The monitor samples frequent calls, so one line can represent several sets.
        Assert.All(
            run.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            line => Assert.Matches(@"^\d\d:\d\d:\d\d\.\d{3} cache Set evil\\x1b\[2Jkey \d+\.\d µs( \(1 of \d+\))?$", line));
        Assert.Equal(3, run.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Fact]
    public async Task File_options_are_relative_to_the_working_directory()
    {
        using CertificateFiles files = new();
        await using RunningServer server = await RunningServer.StartAsync(certificate: files.Certificate, key: files.Key);
        string url = $"https://localhost:{server.Port}";
        CliRun refused = await CliProgram.RunAsync(url, ["set", "k", "v"]);
        Assert.Equal(1, refused.Code);
        CliRun trusted = await CliProgram.RunAsync(url, ["set", "k", "v", "--ca", "server.pem"], folder: files.Folder);
        Assert.Equal((0, ""), (trusted.Code, trusted.Error));
    }

    private static async Task<(int Code, string Output, string Error)> RunAsync(string url, string? token, params string[] arguments)
    {
        CliRun run = await CliProgram.RunAsync(url, arguments, token: token);
        return (run.Code, run.Text, run.Error);
    }
}
