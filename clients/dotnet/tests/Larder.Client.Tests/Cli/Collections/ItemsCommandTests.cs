using System.Text.Json;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the items command, run as a process.</summary>
public sealed class ItemsCommandTests
{
    [Fact]
    public async Task Items_command_prints_one_line_per_element_of_each_type()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        string url = $"http://127.0.0.1:{server.Port}";
        await client.Cache("cache").DictionarySetAsync("dictionary", [new("name", "Ann"), new("line", "a\nb")]);
        await client.Cache("cache").SetAddElementsAsync("set", ["ann", "bo"]);
        await client.Cache("cache").ListConcatenateBackAsync("list", ["b", "a", "b", new byte[] { 0xFF }]);
        await client.Cache("cache").SortedSetPutAsync("sorted", [new("ann", 1.5), new("bo", double.NegativeInfinity)]);
        await client.Cache("cache").SetAsync("scalar", "value");
        Assert.Equal(["line\ta\\nb", "name\tAnn"], await LinesAsync(url, "dictionary"));
        Assert.Equal(["ann", "bo"], await LinesAsync(url, "set"));
        Assert.Equal(["-inf\tbo", "1.5\tann"], await LinesAsync(url, "sorted"));
        Assert.Equal("b\na\nb\n\\xff\n", (await CliProgram.RunAsync(url, ["items", "list"])).Text);
        Assert.Equal("62\n61\n62\nff\n", (await CliProgram.RunAsync(url, ["items", "--hex-key", "6c697374", "--hex"])).Text);
        CliRun json = await CliProgram.RunAsync(url, ["items", "dictionary", "--json"]);
        Assert.Contains(json.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries), static line => Field(line) == ("name", "Ann"));
        CliRun none = await CliProgram.RunAsync(url, ["items", "none"]);
        Assert.Equal((3, "", "not found"), (none.Code, none.Text, none.Error.Trim()));
        CliRun scalar = await CliProgram.RunAsync(url, ["items", "scalar"]);
        Assert.Equal((1, ""), (scalar.Code, scalar.Text));
        Assert.Contains("FailedPrecondition", scalar.Error, StringComparison.Ordinal);
        Assert.Equal(2, (await CliProgram.RunAsync(url, ["items", "set", "--page", "0"])).Code);
    }

    [Fact]
    public async Task Items_command_prints_large_collections_and_stops_at_closed_pipe()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        string url = $"http://127.0.0.1:{server.Port}";
        for (int part = 0; part < 4; part++)
        {
            string beginning = $"{new string('e', 900)}{part}.";
            await client.Cache("cache").SetAddElementsAsync("many", [.. Enumerable.Range(0, 4_000).Select(number => (CacheBytes)$"{beginning}{number}")]);
        }

        Assert.Equal(1, (await CliProgram.RunAsync(url, ["sets", "all", "many"])).Code);
        CliRun all = await CliProgram.RunAsync(url, ["items", "many"]);
        Assert.Equal((0, ""), (all.Code, all.Error));
        Assert.Equal(16_000, all.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Distinct().Count());
        CliRun head = await CliProgram.RunAsync(url, "bash", ["-c", $"{CliProgram.InShell} items many --page 50 | head -2; echo ${{PIPESTATUS[0]}}"]);
        string[] lines = head.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal((3, "0", ""), (lines.Length, lines[2], head.Error));
    }

    private static async Task<IEnumerable<string>> LinesAsync(string url, string name)
    {
        CliRun run = await CliProgram.RunAsync(url, ["items", name, "--page", "1"]);
        Assert.Equal((0, ""), (run.Code, run.Error));
        return run.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal);
    }

    private static (string? Field, string? Value) Field(string line)
    {
        JsonElement read = JsonElement.Parse(line);
        return (read.GetProperty("field").GetString(), read.GetProperty("value").GetString());
    }
}
