using Larder.Harness.Clocks;
using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Tests;

/// <summary>Tests that entries are listed in insertion order, in every process and after a compaction or a restart.</summary>
public sealed class OrderTests : IDisposable
{
    private const int Keys = 300;
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void GetAllKeyValues_returns_keys_in_insertion_order()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using DistributedFileStoreCacheString other = _folder.Open();
        string[] added = [.. Enumerable.Range(0, Keys).Select(i => $"key{i * 7919 % Keys}")];
        foreach (string key in added)
        {
            cache.Set(key, "1");
        }
        cache.Set(added[5], "set again");
        cache.Remove(added[10]);
        other.Set(added[10], "added again");
        string[] expected = [.. added.Except([added[10]]), added[10]];
        Assert.Equal(expected, cache.GetAllKeyValues().Keys);
        Assert.Equal(expected, other.GetAllKeyValues().Keys);
        Assert.Equal(expected, cache.GetByPrefix("key").Keys);
        Assert.True(cache.Handler.Compact());
        other.Set("last", "1");
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.All([cache, other, fresh], c => Assert.Equal([.. expected, "last"], c.GetAllKeyValues().Keys));
    }

    [Fact]
    public void GetAllKeyValues_lists_expired_key_last_after_key_is_set_again()
    {
        ManualTime time = new();
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = time);
        using DistributedFileStoreCacheString other = _folder.Open(o => o.TimeProvider = time);
        cache.Set("expiring", "1", new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromMilliseconds(500) });
        cache.Set("key", "1");
        Assert.Equal(["expiring", "key"], other.GetAllKeyValues().Keys);
        time.Advance(TimeSpan.FromMilliseconds(501));
        cache.Set("expiring", "2");
        Assert.All([cache, other], c => Assert.Equal(["key", "expiring"], c.GetAllKeyValues().Keys));
    }
}
