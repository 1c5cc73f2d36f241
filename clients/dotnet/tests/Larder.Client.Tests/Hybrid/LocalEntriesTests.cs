using System.Globalization;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests the memory for values that only this process has.</summary>
public sealed class LocalEntriesTests
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    // An entry with a key of one character and a value of 70 bytes counts as 70 + 2 + 128 bytes.
    [Theory]
    [InlineData(5, 5)]
    [InlineData(6, 5)]
    [InlineData(50, 5)]
    public void Oldest_values_are_evicted_at_the_limit(int entries, int kept)
    {
        LocalEntries local = new(5 * 200, TimeProvider.System);
        for (int i = 0; i < entries; i++)
        {
            local.Put(((char)('0' + i)).ToString(), i, 70, Hour, []);
        }

        Assert.Equal(kept * 200, local.Bytes);
        Assert.Equal(entries - 1, local.Find(((char)('0' + entries - 1)).ToString()));
        Assert.Equal(entries == kept ? 0 : null, local.Find("0"));
    }

    [Theory]
    [InlineData(870, true)]
    [InlineData(871, false)]
    [InlineData(8_700, false)]
    public void Value_over_the_limit_is_not_kept_and_removes_the_old_one(int bytes, bool isKept)
    {
        LocalEntries local = new(1_000, TimeProvider.System);
        local.Put("k", "old", 1, Hour, []);
        local.Put("k", "new", bytes, Hour, []);
        Assert.Equal(isKept ? "new" : null, local.Find("k"));
        Assert.Equal(isKept ? 1_000 : 0, local.Bytes);
    }

    // Each tag of 34 characters counts as 2 * 34 + 32 bytes.
    [Theory]
    [InlineData(7, true)]
    [InlineData(8, false)]
    [InlineData(80, false)]
    public void Tags_count_against_the_limit(int tags, bool isKept)
    {
        LocalEntries local = new(200 + 700, TimeProvider.System);
        local.Put("k", 1, 70, Hour, [.. Enumerable.Range(0, tags).Select(static tag => tag.ToString("D34", CultureInfo.InvariantCulture))]);
        Assert.Equal(isKept ? 1 : null, local.Find("k"));
        Assert.Equal(isKept ? 900 : 0, local.Bytes);
    }

    [Fact]
    public void Value_ends_with_its_life()
    {
        ManualTime time = new();
        LocalEntries local = new(1_000, time);
        local.Put("k", 1, 1, Hour, []);
        time.Advance(Hour - TimeSpan.FromTicks(1));
        Assert.Equal(1, local.Find("k"));
        time.Advance(TimeSpan.FromTicks(1));
        Assert.Null(local.Find("k"));
    }

    [Fact]
    public void Removal_by_tag_frees_only_values_with_the_tag()
    {
        LocalEntries local = new(10_000, TimeProvider.System);
        local.Put("a", 1, 1, Hour, ["x", "y"]);
        local.Put("b", 2, 1, Hour, ["y"]);
        local.Put("c", 3, 1, Hour, []);
        local.RemoveByTag("x");
        Assert.Equal((null, 2, 3), (local.Find("a"), (int?)local.Find("b"), (int?)local.Find("c")));
        local.Remove("b");
        local.Remove("none");
        Assert.Null(local.Find("b"));
        local.RemoveByTag("*");
        Assert.Equal((null, 0), (local.Find("c"), local.Bytes));
    }
}
