using System.Text;
using System.Text.Json;
using Larder.Agent;

namespace Larder.Tuner.Tests.Load;

public sealed class LoadWorkloadTests
{
    [Fact]
    public void Keys_have_sixteen_bytes() => Assert.Equal("larder-000000042", Encoding.ASCII.GetString(LoadWorkload.KeyOf(42)));

    [Fact]
    public void Value_starts_with_its_key_and_has_configured_size()
    {
        var items = new LoadItems(LoadWorkload.Reference with { Keys = 3 });
        Assert.Equal(100, items.Value(2).Length);
        Assert.True(LoadItems.Belongs(items.Value(2), items.Key(2)));
        Assert.False(LoadItems.Belongs(items.Value(2), items.Key(1)));
    }

    [Fact]
    public void Short_value_holds_prefix_of_its_key()
    {
        var items = new LoadItems(LoadWorkload.Reference with { Keys = 2, ValueBytes = 3 });
        Assert.Equal("lar", Encoding.ASCII.GetString(items.Value(1)));
        Assert.True(LoadItems.Belongs(items.Value(1), items.Key(1)));
    }

    [Theory]
    [InlineData(0, 300)]
    [InlineData(1, 100)]
    [InlineData(2, 1000)]
    [InlineData(4, 50)]
    public void Production_sizes_follow_agent_protocol(int key, int bytes) => Assert.Equal(bytes, LoadWorkload.Production.SizeOf(key));

    [Fact]
    public void Production_sizes_match_shares_of_mix()
    {
        int[] sizes = Enumerable.Range(0, 100_000).Select(LoadWorkload.Production.SizeOf).ToArray();
        Assert.InRange(sizes.Count(size => size == 200), 24_900, 25_100);
        Assert.InRange(sizes.Count(size => size == 100_000), 190, 210);
    }

    [Fact]
    public void TTL_of_key_is_constant_and_TTLs_match_mix()
    {
        var workload = LoadWorkload.From(JsonDocument.Parse("""{"ttlMsMix": [[1000, 3], [60000, 1]]}""").RootElement);
        int brief = Enumerable.Range(0, 10_000).Count(key => workload.TtlOf(key) == TimeSpan.FromSeconds(1));
        Assert.InRange(brief, 7_450, 7_550);
        Assert.Equal(workload.TtlOf(17), workload.TtlOf(17));
    }

    [Fact]
    public void Items_are_reused_for_equal_workloads()
    {
        static LoadWorkload Read(string json) => LoadWorkload.From(JsonDocument.Parse(json).RootElement);
        var items = new LoadItems(Read("""{"keys": 10, "valueBytesMix": [[10, 1], [20, 1]]}"""));
        Assert.True(items.Serves(Read("""{"keys": 10, "valueBytesMix": [[10, 1], [20, 1]], "preload": false, "readRatio": 0.1}""")));
        Assert.False(items.Serves(Read("""{"keys": 10, "valueBytesMix": [[10, 1], [20, 2]]}""")));
        Assert.False(items.Serves(Read("""{"keys": 11, "valueBytesMix": [[10, 1], [20, 1]]}""")));
    }

    [Fact]
    public void Zipf_chooser_gives_each_key_its_share()
    {
        const int draws = 1_000_000;
        var chooser = new LoadKeyChooser(1000, 1.0);
        var random = new LoadRandom(1, 1);
        int[] counts = new int[1000];
        for (int i = 0; i < draws; i++)
        {
            counts[chooser.Next(ref random)]++;
        }

        double harmonic = Enumerable.Range(1, 1000).Sum(i => 1.0 / i);
        foreach (int key in new[] { 0, 1, 9, 99, 999 })
        {
            double expected = draws / (harmonic * (key + 1));
            // The tolerance is six standard deviations of a count of this size.
            Assert.InRange(counts[key], expected - (6 * Math.Sqrt(expected)), expected + (6 * Math.Sqrt(expected)));
        }
    }

    [Fact]
    public void Chooser_without_Zipf_is_uniform()
    {
        var chooser = new LoadKeyChooser(10, 0);
        var random = new LoadRandom(7, 0);
        int[] counts = new int[10];
        for (int i = 0; i < 100_000; i++)
        {
            counts[chooser.Next(ref random)]++;
        }

        Assert.All(counts, count => Assert.InRange(count, 9_400, 10_600));
    }

    [Theory]
    [InlineData("""{"name":"mystery"}""", "mystery")]
    [InlineData("""{"keys":0}""", "keys")]
    [InlineData("""{"readRatio":1.5}""", "readRatio")]
    [InlineData("""{"valueBytesMix":[[100,0]]}""", "valueBytesMix")]
    [InlineData("""{"ttlMs":0}""", "ttlMs")]
    public void Error_names_the_invalid_workload_field(string json, string field) =>
        Assert.Contains(
            field,
            Assert.Throws<ArgumentException>(() => LoadWorkload.From(JsonDocument.Parse(json).RootElement)).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Fields_override_defaults_of_named_workload()
    {
        var workload = LoadWorkload.From(JsonDocument.Parse("""{"name":"production","keys":10,"readRatio":1,"valueBytes":7}""").RootElement);
        Assert.Equal((10, 1.0, 7, null), (workload.Keys, workload.ReadRatio, workload.SizeOf(3), workload.ValueBytesMix));
        Assert.Equal(1.0, workload.Zipf);
    }
}
