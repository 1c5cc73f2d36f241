using System.Globalization;
using System.Text;
using Larder.Harness.Redis;
using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet.Topics;

/// <summary>Tests of the topic scripts on a real server.</summary>
public sealed class TopicScriptTests : IDisposable
{
    private readonly RedisServer _redis = new("--save", "");

    public void Dispose() => _redis.Dispose();

    [Fact]
    public void TOP_2_sequence_numbers_start_at_one_on_a_time_based_page()
    {
        long before = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        (long page, long first) = Publish("a");
        Assert.InRange(page, before, DateTimeOffset.UtcNow.ToUnixTimeMilliseconds());
        Assert.Equal((1, page, 2), (first, Publish("b").Page, Publish("c").Number - 1));
        Assert.Equal((page, 3, 1), Open());
        Assert.Equal($"{page}-3", _redis.Ask("xrevrange", "s", "+", "-", "count", "1").Split('\n')[0]);
    }

    [Fact]
    public void TOP_2_new_master_run_starts_a_new_page()
    {
        (long page, _) = Publish("a");
        Publish("b");
        // Simulates a failover: the stored position contains the id of the master that assigned the last number.
        string[] place = _redis.Ask("get", "p").Split(' ');
        _redis.Ask("set", "p", string.Join(' ', place[..4].Append(new string('0', 40))));
        (long next, long number) = Publish("c");
        Assert.True(next > page);
        Assert.Equal(1, number);
        Assert.Equal((next, 1, 1), Open());
        // Earlier messages remain available to subscribers that have not read them yet.
        Assert.Equal("3", _redis.Ask("xlen", "s"));
    }

    [Fact]
    public void TOP_2_new_page_is_larger_than_earlier_ones_despite_slow_clock()
    {
        long ahead = DateTimeOffset.UtcNow.AddDays(1).ToUnixTimeMilliseconds();
        _redis.Ask("xadd", "s", $"{ahead}-7", "v", "a");
        Assert.Equal((ahead + 1, 1), Publish("b"));
        _redis.Ask("set", "p", $"{ahead + 5} 3 1 1 {new string('0', 40)}");
        Assert.Equal((ahead + 6, 1), Publish("c"));
        _redis.Ask("del", "p");
        Assert.Equal((ahead + 7, 0, 1), Open());
    }

    [Fact]
    public void Server_restart_with_data_starts_a_new_page()
    {
        (long page, _) = Publish("a");
        Assert.Equal("OK", _redis.Ask("save"));
        _redis.Kill();
        _redis.Restart();
        Assert.Equal((page, 1, 1), Open());
        (long next, long number) = Publish("b");
        Assert.True(next > page);
        Assert.Equal(1, number);
    }

    [Theory]
    [InlineData(1_000, 1_000, 1)]
    [InlineData(1_064, 1_064, 1)]
    [InlineData(1_065, 1_000, 66)]
    [InlineData(2_169, 1_064, 1_106)]
    public void TOP_6_topic_keeps_1000_to_1064_messages(int published, int kept, long first)
    {
        Publish("v", times: published);
        Assert.Equal(kept.ToString(CultureInfo.InvariantCulture), _redis.Ask("xlen", "s"));
        (_, long newest, long oldest) = Open();
        Assert.Equal((published, first), (newest, oldest));
        Assert.EndsWith($"-{first}", _redis.Ask("xrange", "s", "-", "+", "count", "1").Split('\n')[0], StringComparison.Ordinal);
        Assert.Equal(kept, Bytes());
    }

    [Fact]
    public void TOP_6_topic_respects_byte_limit_but_always_keeps_newest_message()
    {
        Publish(new string('v', 100), times: 10, mostBytes: 1_000);
        Assert.Equal(("10", 1_000), (_redis.Ask("xlen", "s"), Bytes()));
        Publish("v", mostBytes: 1_000);
        Assert.Equal(("10", 901), (_redis.Ask("xlen", "s"), Bytes()));
        Publish("v", times: 99, mostBytes: 1_000);
        Assert.Equal(("109", 1_000), (_redis.Ask("xlen", "s"), Bytes()));
        Assert.Equal((110, 2), (Open().Newest, Open().First));
        // A large message causes the removal of older messages. Only the newest messages, which fit into the byte limit together, remain.
        Publish(new string('w', 990), mostBytes: 1_000);
        Assert.Equal(("11", 1_000), (_redis.Ask("xlen", "s"), Bytes()));
        Publish(new string('w', 50_000), mostBytes: 1_000);
        Assert.Equal(("1", 50_000), (_redis.Ask("xlen", "s"), Bytes()));
        Assert.Equal((112, 112), (Open().Newest, Open().First));
        Publish("", mostBytes: 1_000);
        Assert.Equal(("1", 0), (_redis.Ask("xlen", "s"), Bytes()));
    }

    [Fact]
    public void TOP_6_topic_expires_ten_minutes_after_last_publish_or_subscriber_refresh()
    {
        Publish("a");
        foreach (string key in (string[])["s", "p"])
        {
            Assert.InRange(long.Parse(_redis.Ask("pttl", key), CultureInfo.InvariantCulture), 540_000, 600_000);
            _redis.Ask("pexpire", key, "5000");
        }

        Open();
        Assert.All((string[])["s", "p"], key => Assert.InRange(long.Parse(_redis.Ask("pttl", key), CultureInfo.InvariantCulture), 540_000, 600_000));
        _redis.Ask("del", "s", "p");
        (long page, long newest, long first) = Open();
        Assert.Equal((0, 1, "0"), (newest, first, _redis.Ask("exists", "s")));
        Assert.InRange(long.Parse(_redis.Ask("pttl", "p"), CultureInfo.InvariantCulture), 540_000, 600_000);
        Assert.Equal((page, 1), Publish("b"));
    }

    [Fact]
    public void Evicted_stream_continues_numbering_without_earlier_messages()
    {
        (long page, _) = Publish("a", times: 3);
        _redis.Ask("del", "s");
        Assert.Equal((page, 3, 4), Open());
        Assert.Equal((page, 4), Publish("b"));
        Assert.Equal((page, 4, 4), Open());
        Assert.Equal(1, Bytes());
    }

    [Fact]
    public void Evicted_position_starts_a_new_page()
    {
        (long page, _) = Publish("a", times: 3);
        _redis.Ask("del", "p");
        (long next, long number) = Publish("b");
        Assert.True(next > page);
        Assert.Equal(1, number);
        _redis.Ask("del", "p");
        (long third, long newest, long first) = Open();
        Assert.True(third > next);
        Assert.Equal((0, 1), (newest, first));
    }

    [Fact]
    public void Publish_fails_without_side_effects_when_server_is_full()
    {
        Publish("a");
        string place = _redis.Ask("get", "p");
        _redis.Ask("config", "set", "maxmemory", "1");
        Assert.StartsWith("OOM", _redis.Ask(Command(FleetScripts.TopicPublish, "b", "", "600000", "1000", "64", "1052832")), StringComparison.Ordinal);
        Assert.Equal((place, "1"), (_redis.Ask("get", "p"), _redis.Ask("xlen", "s")));
        // Subscribing to an existing topic still works.
        Assert.Equal((1, 1), (Open().Newest, Open().First));
    }

    [Fact]
    public void TOP_9_publisher_id_is_stored_with_the_value()
    {
        _redis.Ask(Command(FleetScripts.TopicPublish, "a", "größe", "600000", "1000", "64", "1052832"));
        Assert.Equal(["v", "a", "p", "größe"], _redis.Ask("xrange", "s", "-", "+").Split('\n')[1..]);
    }

    private static string[] Command(Larder.Redis.RedisScript script, params string[] arguments) =>
        ["eval", Encoding.UTF8.GetString(script.Text), "2", "s", "p", .. arguments];

    private (long Page, long Number) Publish(string value, int times = 1, int mostBytes = 1_052_832)
    {
        string[] command =
            Command(FleetScripts.TopicPublish, value, "", "600000", "1000", "64", mostBytes.ToString(CultureInfo.InvariantCulture));
        string[] answer = _redis.AskAgain(times, command).Split('\n', StringSplitOptions.RemoveEmptyEntries)[^2..];
        return (long.Parse(answer[0], CultureInfo.InvariantCulture), long.Parse(answer[1], CultureInfo.InvariantCulture));
    }

    private (long Page, long Newest, long First) Open()
    {
        string[] answers = _redis.Ask(Command(FleetScripts.TopicOpen, "600000")).Split('\n');
        long[] answer = [.. answers.Select(static text => long.Parse(text, CultureInfo.InvariantCulture))];
        return (answer[0], answer[1], answer[2]);
    }

    private long Bytes() => long.Parse(_redis.Ask("get", "p").Split(' ')[3], CultureInfo.InvariantCulture);
}
