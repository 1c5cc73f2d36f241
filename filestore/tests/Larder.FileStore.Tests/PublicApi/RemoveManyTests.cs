namespace Larder.FileStore.Tests;

public sealed class RemoveManyTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task RemoveMany_writes_one_line_and_counts_existing_keys()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        using DistributedFileStoreCacheString other = _folder.Open();
        cache.SetMany([new("a", "1"), new("b", "2"), new("c", "3"), new("d", "4")]);
        int lines = File.ReadAllLines(_folder.CacheFile).Length;
        Assert.Equal(2, cache.RemoveMany(["a", "b", "b", "none"]));
        Assert.Equal(lines + 1, File.ReadAllLines(_folder.CacheFile).Length);
        Assert.Equal(["c", "d"], other.GetAllKeyValues().Keys.Order());
        Assert.Equal(1, await other.RemoveManyAsync(["d"]));
        Assert.Equal("c", Assert.Single(cache.GetAllKeyValues()).Key);
        cache.Engine().AssertValid();
        using DistributedFileStoreCacheString again = _folder.Open();
        Assert.Equal(1, again.Count);
    }

    [Fact]
    public async Task RemoveMany_writes_nothing_when_no_key_exists()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        long before = new FileInfo(_folder.CacheFile).Length;
        Assert.Equal(0, cache.RemoveMany([]));
        Assert.Equal(0, cache.RemoveMany(["none"]));
        Assert.Equal(0, cache.RemoveByPrefix("none"));
        Assert.Equal(0, await cache.RemoveByPrefixAsync(""));
        Assert.Equal(before, new FileInfo(_folder.CacheFile).Length);
        Assert.Throws<ArgumentNullException>("keys", () => cache.RemoveMany(null!));
        Assert.Throws<ArgumentNullException>("keys", () => cache.RemoveMany([null!]));
        Assert.Throws<ArgumentNullException>("prefix", () => cache.RemoveByPrefix(null!));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cache.RemoveManyAsync(["a"], new CancellationToken(true)));
    }

    [Fact]
    public async Task RemoveByPrefix_is_case_sensitive_and_includes_keys_of_other_processes()
    {
        using DistributedFileStoreCacheBytes cache = new(_folder.Options());
        using DistributedFileStoreCacheString other = _folder.Open();
        other.SetMany([new("user:1", "a"), new("user:2", "b"), new("User:3", "c"), new("use", "d")]);
        Assert.Equal(2, cache.RemoveByPrefix("user:"));
        Assert.Equal(["User:3", "use"], other.GetAllKeyValues().Keys.Order(StringComparer.Ordinal));
        Assert.Equal(2, await cache.RemoveByPrefixAsync(""));
        Assert.Equal(0, other.Count);
    }
}
