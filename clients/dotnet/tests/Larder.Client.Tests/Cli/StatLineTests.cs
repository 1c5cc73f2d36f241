using System.Text.Json;
using Larder.Cli;

namespace Larder.Client.Tests.Cli;

public sealed class StatLineTests
{
    [Fact]
    public void Stat_line_shows_the_difference_between_two_readings()
    {
        StatsReading before = Reading(10, calls: 100, hits: 50, misses: 50, "[[50,100]]");
        StatsReading now = Reading(12, calls: 300, hits: 200, misses: 100, "[[50,100],[80,199],[2000,1]]");
        string[] cells = Cells(StatLine.Of(before, now));
        Assert.Equal(["100", "0", "75.0", "%", "80", "µs", "80", "µs"], cells[..8]);
    }

    [Fact]
    public void Stat_line_counts_from_zero_after_a_server_restart()
    {
        string[] cells = Cells(StatLine.Of(Reading(100, 1_000, 9, 9, "[]"), Reading(2, 10, 1, 0, "[[50,10]]")));
        Assert.Equal(["5", "0", "100.0"], cells[..3]);
    }

    [Fact]
    public void Stats_page_is_limited_in_length_and_escapes_names()
    {
        string caches = string.Join(',', Enumerable.Range(0, 1_000).Select(static i => $"{{\"name\":\"\\u001b[2J{i}\",\"bytes\":{i}}}"));
        using JsonDocument stats = JsonDocument.Parse($"{{\"store\":{{\"caches\":[{caches}]}}}}");
        string page = StatsPage.Of(StatsReading.Of(stats.RootElement));
        Assert.InRange(page.Split('\n').Length, 20, 50);
        Assert.Contains("and 985 more", page, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', page);
    }

    [Fact]
    public void Evicted_count_includes_quota_and_memory_evictions()
    {
        using JsonDocument cache = JsonDocument.Parse("""{"evictions":{"memory":3,"expired":50,"flushed":700,"quota":20}}""");
        CacheReading reading = CacheReading.Of(cache.RootElement);
        Assert.Equal((23, 50), (reading.Evicted, reading.Expired));
    }

    private static string[] Cells(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private static StatsReading Reading(double uptime, long calls, long hits, long misses, string buckets)
    {
        using JsonDocument stats = JsonDocument.Parse(
            $"{{\"uptimeSeconds\":{uptime},\"rpcs\":[{{\"rpc\":\"Get\",\"count\":{calls},\"buckets\":{buckets}}}],"
            + $"\"store\":{{\"total\":{{\"hits\":{hits},\"misses\":{misses}}}}}}}");
        return StatsReading.Of(stats.RootElement);
    }
}
