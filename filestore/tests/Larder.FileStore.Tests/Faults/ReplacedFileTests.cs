using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>The file or its sidecar deleted or replaced while processes use it: detected within about a second.</summary>
public sealed class ReplacedFileTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);

    private void ASecondPasses() => _time.Advance(TimeSpan.FromSeconds(1.1));

    [Fact]
    public void A_deleted_file_is_an_empty_cache_and_both_go_on_together()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile);
        ASecondPasses();
        Assert.Null(a.Get("key"));
        Assert.Null(b.Get("key"));
        b.Set("after", "1");
        Assert.Equal("1", a.Get("after"));
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
        Assert.Null(fresh.Get("key"));
    }

    [Fact]
    public void A_write_after_the_deletion_is_not_lost()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        ASecondPasses();
        cache.Set("after", "1");
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void A_file_put_back_from_a_copy_is_what_all_see()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "old");
        string copy = Path.Combine(_folder.Path, "copy");
        File.Copy(_folder.CacheFile, copy);
        a.Set("key", "new");
        a.Set("more", "x");
        Assert.Equal("new", b.Get("key"));
        File.Move(copy, _folder.CacheFile, overwrite: true);
        ASecondPasses();
        Assert.Equal("old", a.Get("key"));
        Assert.Equal("old", b.Get("key"));
        Assert.Null(b.Get("more"));
        b.Set("key", "after");
        Assert.Equal("after", a.Get("key"));
    }

    [Fact]
    public void A_deleted_sidecar_is_made_again_and_nothing_is_lost()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile + ".idx");
        ASecondPasses();
        a.Set("from a", "1");
        b.Set("from b", "2");
        using DistributedFileStoreCacheString fresh = Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[a, b, fresh])
        {
            Assert.Equal("value", cache.Get("key"));
            Assert.Equal("1", cache.Get("from a"));
            Assert.Equal("2", cache.Get("from b"));
        }
    }

    [Fact]
    public void Both_deleted_is_an_empty_cache()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile + ".idx");
        File.Delete(_folder.CacheFile);
        ASecondPasses();
        Assert.Null(a.Get("key"));
        a.Set("after", "1");
        Assert.Equal("1", b.Get("after"));
    }

    [Fact]
    public void Something_foreign_in_its_place_is_kept_aside_and_never_overwritten()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        File.WriteAllText(_folder.CacheFile, "precious\n");
        ASecondPasses();
        Assert.Equal("value", cache.Get("key"));
        Assert.Equal("precious\n", File.ReadAllText(Assert.Single(Directory.GetFiles(_folder.Path, "*.aside-*"))));
        Assert.Equal(1, cache.Status.Faults);
        Assert.Contains("aside", cache.Status.LastFault);
        Assert.Null(cache.Status.Fault);
        cache.Set("key", "again");
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("again", fresh.Get("key"));
    }

    [Fact]
    public void A_newer_versions_file_in_its_place_is_reported_once_and_never_touched()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        const string newer = "{\"fsc\":2,\"something\":\"newer\"}\n";
        File.WriteAllText(_folder.CacheFile, newer);
        ASecondPasses();
        Assert.Equal("value", cache.Get("key"));
        Assert.Contains("newer", cache.Status.Fault);
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("key", "lost?"));
            ASecondPasses();
        }
        Assert.Equal(1, cache.Status.Faults);
        Assert.Equal(newer, File.ReadAllText(_folder.CacheFile));
        File.Delete(_folder.CacheFile);
        cache.Set("key", "again");
        Assert.Equal("again", cache.Get("key"));
        Assert.Null(cache.Status.Fault);
    }

    [Fact]
    public void It_is_noticed_by_the_system_clock_too()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        Until.True(() => cache.Get("key") is null);
    }
}
