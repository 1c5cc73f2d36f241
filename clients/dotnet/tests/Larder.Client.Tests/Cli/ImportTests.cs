using System.Text;
using Larder.Cli;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

public sealed class ImportTests
{
    [Fact]
    public async Task Import_keeps_remaining_ttl_and_skips_expired_items()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        long soon = DateTimeOffset.UtcNow.AddSeconds(600).ToUnixTimeMilliseconds();
        string lines = "{\"key\":\"a\",\"value\":\"é\"}\r\n"
            + "\n"
            + $"{{\"keyBase64\":\"/w==\",\"base64\":\"AP8=\",\"expiresUnixMs\":{soon}}}\n"
            + "{\"key\":\"old\",\"value\":\"v\",\"expiresUnixMs\":1}";
        CliRun run = await CliProgram.RunAsync(url, ["import", "--ttl", "60"], Encoding.UTF8.GetBytes(lines));
        Assert.Equal((0, "items imported: 2, skipped (expired): 1\n", ""), (run.Code, run.Text, run.Error));
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Assert.Equal("é", Expect.Hit(await client.Cache("cache").GetAsync("a")).Text);
        Assert.Equal([0, 255], Expect.Hit(await client.Cache("cache").GetAsync(new byte[] { 255 })).ToArray());
        Assert.InRange(Expect.Hit(await client.Cache("cache").ItemGetTtlAsync("a")).TotalSeconds, 0, 60);
        LookupResult<TimeSpan> left = await client.Cache("cache").ItemGetTtlAsync(new byte[] { 255 });
        Assert.InRange(Expect.Hit(left).TotalSeconds, 60, 600);
        Expect.Miss(await client.Cache("cache").GetAsync("old"));
    }

    [Theory]
    [InlineData("{\"key\":\"c\"}", "the item must have a string \"value\" or \"base64\"")]
    [InlineData("{\"key\":1,\"value\":\"v\"}", "the item must have a string \"key\" or \"keyBase64\"")]
    [InlineData("{\"key\":\"\",\"value\":\"v\"}", "the key is empty")]
    [InlineData("[]", "the item is not a JSON object")]
    [InlineData("{\"key\":\"a\",\"value\":\"\\ud800\"}", "")]
    [InlineData("{\"key\":\"a\",\"base64\":\"?\"}", "")]
    [InlineData("{\"key\":\"a\",\"value\":\"v\",\"expiresUnixMs\":1e99}", "")]
    [InlineData("\u001b[2J", "")]
    public async Task Import_stops_at_invalid_line_and_reports_its_number(string bad, string why)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string lines = $"{{\"key\":\"a\",\"value\":\"1\"}}\n{bad}\n{{\"key\":\"late\",\"value\":\"1\"}}\n";
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["import", "-"], Encoding.UTF8.GetBytes(lines));
        Assert.Equal((1, ""), (run.Code, run.Text));
        Assert.StartsWith($"line 2: {why}", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("; items imported: 1\n", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', run.Error);
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Expect.Miss(await client.Cache("cache").GetAsync("late"));
    }

    [Fact]
    public async Task Import_reports_the_line_that_the_server_rejects()
    {
        await using RunningServer server = await RunningServer.StartAsync(maxTtl: TimeSpan.FromSeconds(10));
        CliRun run = await CliProgram.RunAsync(
            $"http://127.0.0.1:{server.Port}",
            ["import", "--ttl", "60"],
            Encoding.UTF8.GetBytes("{\"key\":\"a\",\"value\":\"1\"}\n"));
        Assert.Equal(1, run.Code);
        Assert.StartsWith("line 1: InvalidArgument", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Line_reader_reassembles_lines_from_any_split()
    {
        byte[] text = Encoding.UTF8.GetBytes($"a\n\r\n{new string('x', 200_000)}\r\nlast");
        for (int part = 1; part <= 7; part += 3)
        {
            LineReader reader = new(new RepeatedStream(text, 1, part), 1 << 20);
            List<string> lines = [];
            while (await reader.ReadAsync(default) is { } line)
            {
                lines.Add(Encoding.UTF8.GetString(line.Span));
            }

            Assert.Equal(["a", "", new string('x', 200_000), "last"], lines);
        }

        await Assert.ThrowsAsync<InvalidDataException>(async () => await ReadAll(new LineReader(new RepeatedStream(text, 1), 100_000)));
    }

    private static async Task ReadAll(LineReader reader)
    {
        while (await reader.ReadAsync(default) is not null)
        {
        }
    }
}
