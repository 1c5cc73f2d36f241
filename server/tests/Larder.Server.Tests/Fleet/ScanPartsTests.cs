using System.Text;
using Larder.Redis;
using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet;

/// <summary>Tests of how a gateway parses prefixes, cursors and a master's description of its cluster.</summary>
public sealed class ScanPartsTests
{
    private const string Nodes =
        "aaa 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-5460 5462\n"
        + "bbb 127.0.0.1:7001@17001 master - 0 1700000000 2 connected 5461 5463-10922\n"
        + "ccc 127.0.0.1:7002@17002 slave aaa 0 1700000000 1 connected\n";

    private static readonly RedisEndPoint[] Masters = [new("127.0.0.1", 7000), new("127.0.0.1", 7001)];

    [Theory]
    [InlineData("", "*")]
    [InlineData("user:", "user:*")]
    [InlineData("a*b?[c]\\", "a\\*b\\?\\[c\\]\\\\*")]
    public void Prefix_pattern_escapes_special_characters(string prefix, string pattern) =>
        Assert.Equal(pattern, Encoding.UTF8.GetString(GlobPattern.OfPrefix(Encoding.UTF8.GetBytes(prefix))));

    [Fact]
    public void FleetCursor_round_trips_for_its_own_cache_only()
    {
        FleetCursor cursor = new(3, 65_535, ulong.MaxValue, ulong.MaxValue - 1);
        byte[] written = cursor.Write(7);
        Assert.True(FleetCursor.TryRead(written, 7, out FleetCursor read));
        Assert.Equal(cursor, read);
        Assert.False(FleetCursor.TryRead(written, 8, out _));
        Assert.False(FleetCursor.TryRead(written.AsSpan(1), 7, out _));
        Assert.True(FleetCursor.TryRead([], 7, out read));
        Assert.Equal(default, read);
    }

    [Fact]
    public void MasterView_ignores_ping_times_and_line_order()
    {
        string later = string.Join('\n', Nodes.Replace("1700000000", "1800000000", StringComparison.Ordinal).Split('\n').Reverse());
        Assert.Equal(View(Nodes), View(later));
        Assert.False(View(Nodes).HasMovingSlots);
    }

    [Theory]
    [InlineData("5462\n", "\n")]
    [InlineData("0 2 connected", "0 3 connected")]
    [InlineData("ccc", "bbb")]
    [InlineData("0 1 connected 0", "0 4 connected 0")]
    [InlineData("aaa 127.0.0.1:7000@17000 myself", "ddd 127.0.0.1:7003@17003 myself")]
    public void MasterView_changes_with_slots_masters_or_epochs(string was, string becomes)
    {
        string changed = Nodes.Replace("1700000000 2", "0 2", StringComparison.Ordinal);
        string other = changed.Replace(was, becomes, StringComparison.Ordinal);
        Assert.Equal(was == "ccc", View(changed).Map == View(other).Map);
    }

    [Fact]
    public void MasterView_detects_slot_migrations_and_server_restarts()
    {
        Assert.True(View(Nodes.Replace("5462\n", "5462 [5462->-bbb]\n", StringComparison.Ordinal)).HasMovingSlots);
        Assert.True(View(Nodes.Replace("5462\n", "5462 [93-<-bbb]\n", StringComparison.Ordinal)).HasMovingSlots);
        Assert.NotEqual(View(Nodes).Run, View(Nodes, "run_id:2\r\n").Run);
        Assert.NotEqual(View(Nodes).Map, MasterView.Read(Nodes, "", [Masters[1], Masters[0]]).Map);
    }

    private static MasterView View(string nodes, string server = "redis_version:7\r\nrun_id:1\r\n") => MasterView.Read(nodes, server, Masters);
}
