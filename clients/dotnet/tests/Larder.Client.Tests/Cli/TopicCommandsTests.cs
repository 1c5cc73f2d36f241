using System.Text.Json;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the publish and subscribe commands, run as a process.</summary>
public sealed class TopicCommandsTests
{
    [Fact]
    public async Task Subscribe_prints_published_items_one_per_line()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        Assert.Equal((0, "published\n"), Of(await CliProgram.RunAsync(url, ["publish", "t", "größe"])));
        Assert.Equal((0, "published\n"), Of(await CliProgram.RunAsync(url, ["publish", "t", "--hex", "1bff0a"])));
        Assert.Equal((0, "published\n"), Of(await CliProgram.RunAsync(url, ["publish", "t", "-"], "piped\n"u8.ToArray())));
        Assert.Equal((0, "größe\n\\x1b\\xff\\n\n"), Of(await CliProgram.RunAsync(url, ["subscribe", "t", "--from", "1", "--count", "2"])));
        Assert.Equal((0, "piped\\n\n"), Of(await CliProgram.RunAsync(url, ["subscribe", "t", "--count", "1"])));
    }

    [Fact]
    public async Task Subscribe_reports_gaps_as_json_or_on_standard_error()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        await CliProgram.RunAsync(url, ["publish", "t", "a"]);
        await CliProgram.RunAsync(url, ["publish", "t", "--hex", "ff"]);
        CliRun json = await CliProgram.RunAsync(url, ["subscribe", "t", "--from", "9", "--heartbeats", "--json", "--count", "1"]);
        JsonElement[] lines = [.. json.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => JsonElement.Parse(line))];
        Assert.Equal((0, ""), (json.Code, json.Error));
        Assert.Equal(["heartbeat", "discontinuity", "item"], lines.Select(static line => line.GetProperty("event").GetString()));
        Assert.Equal((8, 2), (lines[1].GetProperty("last").GetInt32(), lines[1].GetProperty("next").GetInt32()));
        Assert.Equal((2, "/w=="), (lines[2].GetProperty("number").GetInt32(), lines[2].GetProperty("base64").GetString()));
        string page = lines[2].GetProperty("page").GetRawText();
        CliRun plain = await CliProgram.RunAsync(url, ["subscribe", "t", "--from", "9", "--heartbeats", "--count", "1"]);
        string gap = $"gap: messages after 8 are missing; the next message is 2 of page {page}";
        Assert.Equal((0, "\\xff\n", $"heartbeat\n{gap}\n"), (plain.Code, plain.Text, plain.Error));
        CliRun resumed = await CliProgram.RunAsync(url, ["subscribe", "t", "--from", "1", "--page", page, "--count", "1"]);
        Assert.Equal((0, "a\n", ""), (resumed.Code, resumed.Text, resumed.Error));
    }

    [Theory]
    [InlineData(2, "--from", "yesterday")]
    [InlineData(2, "--from", "0")]
    [InlineData(2, "--from", "-1")]
    [InlineData(2, "--from", "18446744073709551616")]
    [InlineData(2, "--page", "7")]
    [InlineData(2, "--page", "x")]
    [InlineData(2, "--count", "0")]
    [InlineData(1, "--cache", "none")]
    public async Task Subscribe_reports_an_error_for_each_invalid_option(int code, string option, string value)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["subscribe", "t", option, value]);
        Assert.Equal((code, ""), Of(run));
        Assert.NotEqual("", run.Error);
    }

    [Fact]
    public async Task Interrupted_subscribe_exits_with_130()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        for (int number = 0; number < 3; number++)
        {
            await CliProgram.RunAsync(url, ["publish", "t", $"{number}"]);
        }

        // Sends SIGINT, as Ctrl+C does, after the first output. A shell starts background programs with SIGINT ignored, so env restores the default handling.
        string interrupted = $"env --default-signal=INT {CliProgram.InShell} subscribe t > out & p=$!; "
            + "until [ -s out ]; do sleep 0.05; done; kill -INT $p; wait $p; echo $?; cat out";
        string folder = Directory.CreateTempSubdirectory("larder-subscribe").FullName;
        try
        {
            CliRun run = await CliProgram.RunAsync(url, "bash", ["-c", interrupted], folder: folder);
            Assert.Equal("130\n2\n", run.Text);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static (int Code, string Text) Of(CliRun run) => (run.Code, run.Text);
}
