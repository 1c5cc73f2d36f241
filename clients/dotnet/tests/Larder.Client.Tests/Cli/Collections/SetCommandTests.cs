using System.Text;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the sets command, run as a process.</summary>
public sealed class SetCommandTests
{
    [Fact]
    public async Task Set_collection_commands_add_find_sample_pop_and_remove_elements()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string script = """
            sets add online ann bo bo -5 -- --verbose -x
            sets length online
            sets has online none bo --verbose
            sets has online none bo -- --verbose
            """;
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], Encoding.UTF8.GetBytes(script));
        Assert.Equal((2, "stored\n5\n"), (run.Code, run.Text));
        Assert.Contains("unknown option '--verbose'", run.Error, StringComparison.Ordinal);
        script = """
            sets has online none bo -- --verbose
            sets remove online bo none -5 -- --verbose -x
            sets all online
            sets sample online 7
            sets pop online
            sets remove none ann
            set sets value
            get sets
            """;
        run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], Encoding.UTF8.GetBytes(script));
        Assert.Equal("bo\n--verbose\ngone\nann\nann\nann\ngone\nstored\nvalue\n", run.Text);
        Assert.Equal((0, ""), (run.Code, run.Error));
    }

    [Fact]
    public async Task Set_collection_commands_handle_many_elements_and_a_closed_pipe()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        string url = $"http://127.0.0.1:{server.Port}";
        await client.Cache("cache").SetAddElementsAsync("many", [.. Enumerable.Range(0, 5000).Select(number => (CacheBytes)$"{new string('e', 40)}{number}")]);
        CliRun all = await CliProgram.RunAsync(url, ["sets", "all", "many"]);
        Assert.Equal(5000, all.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Distinct().Count());
        Assert.Equal(3, (await CliProgram.RunAsync(url, ["sets", "sample", "many", "3", "--json"])).Text.Split("{\"value\":\"eee").Length - 1);
        Assert.Equal(20, (await CliProgram.RunAsync(url, ["sets", "pop", "many", "20"])).Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Equal("4980\n", (await CliProgram.RunAsync(url, ["sets", "length", "many"])).Text);
        CliRun head = await CliProgram.RunAsync(url, "bash", ["-c", $"{CliProgram.InShell} sets all many | head -2; echo ${{PIPESTATUS[0]}}"]);
        string[] lines = head.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal((3, "0", ""), (lines.Length, lines[2], head.Error));
    }
}
