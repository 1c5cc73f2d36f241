using System.Text;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the zset command, run as a process.</summary>
public sealed class SortedSetCommandTests
{
    [Fact]
    public async Task Zset_commands_put_rank_increment_and_remove_elements()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string script = """
            zset put board 12.5 ann -3 bo 7 -7 --ttl 90
            zset all board
            zset all board --descending --scores
            zset all board --start -1
            zset all board --descending --end 1
            zset all board --min -3 --max 7
            zset all board --min 12.6
            zset score board ann
            zset score board ann none bo
            zset rank board ann
            zset rank board ann --descending
            zset increment board bo
            zset increment board bo -0.5 --no-refresh
            zset increment board cy 1e20
            zset remove board cy none
            zset remove none none
            zset length board
            """;
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], Encoding.UTF8.GetBytes(script));
        Assert.Equal(
            "stored\nbo\n-7\nann\n12.5\tann\n7\t-7\n-3\tbo\nann\nann\nbo\n-7\n12.5\n12.5\tann\n-3\tbo\n2\n0\n-2\n-2.5\n1E+20\ngone\ngone\n3\n",
            run.Text);
        Assert.Equal((0, ""), (run.Code, run.Error));
    }

    [Fact]
    public async Task Zset_commands_round_trip_infinite_scores()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        string script = """
            zset put board inf last -inf first -Infinity zeroth
            zset all board --scores
            zset all board --max -inf --json
            zset score board last --json
            zset score board last --hex
            zset all board --hex --scores --start -1
            zset increment board last -inf
            """;
        CliRun run = await CliProgram.RunAsync($"http://127.0.0.1:{server.Port}", ["shell"], Encoding.UTF8.GetBytes(script));
        Assert.Equal(
            "stored\n-inf\tfirst\n-inf\tzeroth\ninf\tlast\n{\"value\":\"first\",\"score\":\"-inf\"}\n{\"value\":\"zeroth\",\"score\":\"-inf\"}\n"
            + "{\"value\":\"last\",\"score\":\"inf\"}\ninf\ninf\t6c617374\n",
            run.Text);
        Assert.Equal(1, run.Code);
        Assert.StartsWith("FailedPrecondition", run.Error, StringComparison.Ordinal);
    }
}
