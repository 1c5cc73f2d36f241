using System.Text;
using System.Text.Json;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the scan, export and ping commands, run as a process.</summary>
public sealed class ScanCommandTests
{
    // The value contains an escape sequence that clears the screen, a line end, and invalid UTF-8.
    private static readonly byte[] s_hostile = [0x1B, (byte)'[', (byte)'2', (byte)'J', (byte)'\n', 0xFF];

    [Fact]
    public async Task Scan_prints_escaped_keys_one_per_line()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        await client.Cache("cache").SetAsync("user:1", "value");
        await client.Cache("cache").SetAsync("order:1", "value");
        await client.Cache("cache").SetAsync(s_hostile, "value");
        CliRun all = await CliProgram.RunAsync(url, ["scan"]);
        Assert.Equal((0, ""), (all.Code, all.Error));
        Assert.Equal(["\\x1b[2J\\n\\xff", "order:1", "user:1"], all.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal));
        Assert.Equal("user:1\n", (await CliProgram.RunAsync(url, ["scan", "--prefix", "user:"])).Text);
        Assert.Equal("3\n", (await CliProgram.RunAsync(url, ["scan", "--count"])).Text);
        Assert.Equal("", (await CliProgram.RunAsync(url, ["scan", "--type", "sorted-set"])).Text);
        CliRun json = await CliProgram.RunAsync(url, ["scan", "--json", "--hex-prefix", "--prefix", "1b"]);
        JsonElement key = JsonElement.Parse(json.Text);
        Assert.Equal(s_hostile, key.GetProperty("keyBase64").GetBytesFromBase64());
        Assert.Equal(("scalar", 5), (key.GetProperty("type").GetString(), key.GetProperty("bytes").GetInt32()));
        Assert.InRange(key.GetProperty("ttlMs").GetInt64(), 1, 60_000);
        CliRun wrong = await CliProgram.RunAsync(url, ["scan", "--type", "table"]);
        Assert.Equal(2, wrong.Code);
        Assert.Contains("--type must be one of scalar, dictionary, set, list, sorted-set, but is 'table'", wrong.Error, StringComparison.Ordinal);
        Assert.Equal(1, (await CliProgram.RunAsync(url, ["scan", "--cache", "none"])).Code);
    }

    [Fact]
    public async Task Scan_stops_silently_at_a_closed_pipe()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        for (int part = 0; part < 40; part++)
        {
            IEnumerable<SetBatchItem> items = Enumerable.Range(0, 500).Select(number => new SetBatchItem($"{new string('k', 40)}{part}.{number}", ""));
            await client.Cache("cache").SetBatchAsync([.. items]);
        }

        string command = $"{CliProgram.InShell} scan | head -2; echo ${{PIPESTATUS[0]}}";
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", "bash", ["-c", command]);
        string[] lines = run.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal((3, "0", ""), (lines.Length, lines[2], run.Error));
    }

    [Fact]
    public async Task Export_and_import_transfer_items_with_remaining_ttl()
    {
        await using RunningServer from = await RunningServer.StartAsync();
        await using RunningServer to = await RunningServer.StartAsync();
        await using CacheClient source = from.Connect(Configurations.Laptop.Latest());
        await using CacheClient target = to.Connect(Configurations.Laptop.Latest());
        byte[] large = new byte[3_000_000];
        for (int number = 0; number < 600; number++)
        {
            await source.Cache("cache").SetAsync($"k{number}", $"value {number}", TimeSpan.FromSeconds(600));
        }

        await source.Cache("cache").SetAsync("k-large-1", large, TimeSpan.FromSeconds(600));
        await source.Cache("cache").SetAsync("k-large-2", large, TimeSpan.FromSeconds(600));
        await source.Cache("cache").SetAsync(s_hostile, s_hostile, TimeSpan.FromSeconds(600));
        CliRun exported = await CliProgram.RunAsync($"http://127.0.0.1:{from.Port}", ["export"]);
        Assert.Equal((0, "items exported: 603\n"), (exported.Code, exported.Error));
        CliRun imported = await CliProgram.RunAsync($"http://127.0.0.1:{to.Port}", ["import"], exported.Output);
        Assert.Equal((0, "items imported: 603\n"), (imported.Code, imported.Text));
        Assert.Equal("value 7", Expect.Hit(await target.Cache("cache").GetAsync("k7")).Text);
        Assert.Equal(s_hostile, Expect.Hit(await target.Cache("cache").GetAsync(s_hostile)).ToArray());
        Assert.Equal(large.Length, Expect.Hit(await target.Cache("cache").GetAsync("k-large-2")).Length);
        TimeSpan left = Expect.Hit(await target.Cache("cache").ItemGetTtlAsync("k7"));
        Assert.InRange(left, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(600));
    }

    [Fact]
    public async Task Export_does_not_overwrite_an_existing_file()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        string folder = Directory.CreateTempSubdirectory("larder-export").FullName;
        try
        {
            Assert.Equal(0, (await CliProgram.RunAsync(url, ["export", "items.jsonl"], folder: folder)).Code);
            CliRun again = await CliProgram.RunAsync(url, ["export", "items.jsonl"], folder: folder);
            Assert.Equal(2, again.Code);
            Assert.Contains("items.jsonl", again.Error, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Ping_reports_latency_and_fails_without_a_server()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        CliRun run = await CliProgram.RunAsync(url, ["ping", "--count", "3", "--interval", "0.01"]);
        Assert.Equal((0, ""), (run.Code, run.Error));
        string[] lines = run.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(3, lines.Count(static line => line.StartsWith("response after ", StringComparison.Ordinal)));
        Assert.Equal(1, (await CliProgram.RunAsync("http://127.0.0.1:1", ["ping"])).Code);
        Assert.Equal(2, (await CliProgram.RunAsync(url, ["ping", "--count", "0"])).Code);
        CliRun noNumber = await CliProgram.RunAsync(url, ["ping", "--count", "x"]);
        Assert.Equal(2, noNumber.Code);
        Assert.Contains("--count must be a whole number, but is 'x'", noNumber.Error, StringComparison.Ordinal);
    }
}
