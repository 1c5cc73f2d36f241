using System.Text;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the list command, run as a process.</summary>
public sealed class ListCommandTests
{
    [Fact]
    public async Task List_commands_push_pop_print_and_remove_elements()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string script = """
            list push jobs c d e
            list push jobs --front a b --ttl 90
            list all jobs
            list all jobs --start -3 --end -1
            list all jobs --start=-2147483648 --end 2147483647 --json
            list pop jobs
            list pop jobs --back
            list push jobs -7 -7 --truncate 4
            list push jobs z --front --truncate 4 --no-refresh
            list remove jobs -7
            list remove jobs none
            list remove none none
            list all jobs --hex
            list length jobs
            """;
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], Encoding.UTF8.GetBytes(script));
        string json = string.Join('\n', "abcde".Select(static letter => $"{{\"value\":\"{letter}\"}}"));
        Assert.Equal($"3\n5\na\nb\nc\nd\ne\nc\nd\n{json}\na\ne\n4\n4\ngone\ngone\ngone\n7a\n63\n64\n3\n", run.Text);
        Assert.Equal((0, ""), (run.Code, run.Error));
    }

    [Fact]
    public async Task List_push_and_pop_round_trip_piped_bytes()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string url = $"http://127.0.0.1:{server.Port}";
        byte[] bytes = [0, 255, (byte)'\n'];
        Assert.Equal("3\n", (await CliProgram.RunAsync(url, ["list", "push", "l", "first", "-", "last"], bytes)).Text);
        Assert.Equal("first\n\\x00\\xff\\n\nlast\n", (await CliProgram.RunAsync(url, ["list", "all", "l"])).Text);
        Assert.Equal("first", (await CliProgram.RunAsync(url, ["list", "pop", "l", "--raw"])).Text);
        Assert.Equal(bytes, (await CliProgram.RunAsync(url, ["list", "pop", "l", "--raw"])).Output);
        Assert.Equal("{\"value\":\"last\"}\n", (await CliProgram.RunAsync(url, ["list", "pop", "l", "--json"])).Text);
        Assert.Equal(3, (await CliProgram.RunAsync(url, ["list", "pop", "l"])).Code);
    }
}
