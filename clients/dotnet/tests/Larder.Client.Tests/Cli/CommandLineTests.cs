using System.Diagnostics;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>The command line as its users run it: what it prints, and its exit codes.</summary>
public sealed class CommandLineTests
{
    private const string NoServer = "http://127.0.0.1:1";

    // Its own folder, with all that it needs: beside the tests lie only the files that they do not get from a framework.
    private static readonly string s_program = Path.Combine(
        AppContext.BaseDirectory,
        "../../../../../cli/Larder.Cli/bin",
        Path.GetRelativePath(Path.Combine(AppContext.BaseDirectory, "../.."), AppContext.BaseDirectory),
        "Larder.Cli.dll");

    [Fact]
    public async Task An_item_lives_its_life()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"larder://127.0.0.1:{server.Port}";
        Assert.Equal((0, "stored\n", ""), await RunAsync(url, null, "set", "k", "v", "--ttl", "90"));
        Assert.Equal((0, "v\n", ""), await RunAsync(url, null, "get", "k"));
        (int code, string remaining, _) = await RunAsync(url, null, "ttl", "k");
        Assert.Equal(0, code);
        Assert.EndsWith(" s\n", remaining, StringComparison.Ordinal);
        Assert.Equal((0, "-4\n", ""), await RunAsync(url, null, "increment", "n", "-4"));
        Assert.Equal((0, "gone\n", ""), await RunAsync(url, null, "delete", "k"));
        Assert.Equal((3, "", "not found\n"), await RunAsync(url, null, "get", "k"));
        Assert.Equal(await RunAsync(url, null, "caches"), await RunAsync(url, null, "caches", "list"));
    }

    [Theory]
    [InlineData("'abc' is no time to live in seconds", "set", "k", "v", "--ttl-seconds", "abc")]
    [InlineData("'0' is no time to live in seconds", "ttl", "k", "0")]
    [InlineData("'--amount' is no whole number (amount)", "increment", "k", "--amount", "5")]
    [InlineData("'x' is no number of milliseconds from 1 to 3600000 (--timeout-ms)", "get", "k", "--timeout-ms", "x")]
    [InlineData("'3600001' is no number of milliseconds from 1 to 3600000 (--timeout-ms)", "get", "k", "--timeout-ms", "3600001")]
    [InlineData("'larder get --help' shows what may be given", "get", "k", "--nonsense")]
    [InlineData("'larder caches create --help'", "caches", "create")]
    [InlineData("--server: 'http://…@h/path' is no server's address", "get", "k", "--server", "http://s3cret@h/path")]
    [InlineData("InvalidArgument", "get", "k", "--cache", " ")]
    [InlineData("no host:port", "stats", "--console", "a b")]
    [InlineData("no host:port", "snapshot", "--console", "a b")]
    public async Task A_wrong_command_is_told_in_words_and_exits_with_2(string why, params string[] arguments)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        (int code, string output, string error) = await RunAsync($"http://127.0.0.1:{server.Port}", null, arguments);
        Assert.Equal((2, ""), (code, output));
        Assert.Contains(why, error, StringComparison.Ordinal);
        Assert.DoesNotContain("s3cret", error, StringComparison.Ordinal);
        Assert.DoesNotContain("System.", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_snapshot_is_written_on_demand_and_why_it_is_not_is_told()
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
            Assert.Equal((1, "", "No snapshot: this server has no file for snapshots: start it with --snapshot FILE\n"), (code, output, error));
            (code, _, error) = await RunAsync(NoServer, null, "snapshot", "--console", "127.0.0.1:1");
            Assert.Equal(1, code);
            Assert.Contains("give it by --console", error, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_wrong_variable_is_named()
    {
        (int code, _, string error) = await RunAsync("http://127.0.0.1:99999", null, "get", "k");
        Assert.Equal((2, "LARDER_URL: 'http://127.0.0.1:99999'"), (code, error[..error.IndexOf(" is", StringComparison.Ordinal)]));
    }

    [Fact]
    public async Task The_address_own_token_is_preferred_to_the_variables()
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
    public async Task A_server_that_is_not_there_is_told_in_one_line_and_once()
    {
        (int code, string output, string error) = await RunAsync(NoServer, null, "get", "k");
        Assert.Equal((1, "", "Unavailable: No connection: Connection refused (127.0.0.1:1)\n"), (code, output, error));
    }

    [Fact]
    public async Task The_help_names_what_a_user_types()
    {
        (int code, string output, _) = await RunAsync(NoServer, null, "set", "--help");
        Assert.Equal(0, code);
        Assert.Contains("larder set <key> <value>", output, StringComparison.Ordinal);
        Assert.DoesNotContain("Larder.Cli", output, StringComparison.Ordinal);
    }

    private static async Task<(int Code, string Output, string Error)> RunAsync(string url, string? token, params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet", [s_program, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["LARDER_URL"] = url;
        start.Environment["LARDER_TOKEN"] = token;
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(Eventually.Limit);
        return (process.ExitCode, await output, await error);
    }
}
