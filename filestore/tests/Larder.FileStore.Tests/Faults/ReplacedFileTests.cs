using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Tests that processes detect within about a second that the file or the sidecar was deleted or replaced.</summary>
public sealed class ReplacedFileTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);

    private void AdvanceOneSecond() => _time.Advance(TimeSpan.FromSeconds(1.1));

    [Fact]
    public void Deleted_file_becomes_empty_cache_for_all_processes()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile);
        AdvanceOneSecond();
        Assert.Null(a.Get("key"));
        Assert.Null(b.Get("key"));
        b.Set("after", "1");
        Assert.Equal("1", a.Get("after"));
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
        Assert.Null(fresh.Get("key"));
    }

    [Fact]
    public void Write_after_deletion_of_file_is_kept()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        AdvanceOneSecond();
        cache.Set("after", "1");
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void All_processes_see_file_restored_from_copy()
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
        AdvanceOneSecond();
        Assert.Equal("old", a.Get("key"));
        Assert.Equal("old", b.Get("key"));
        Assert.Null(b.Get("more"));
        b.Set("key", "after");
        Assert.Equal("after", a.Get("key"));
    }

    [Fact]
    public void Deleted_sidecar_is_recreated_without_loss()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile + ".idx");
        AdvanceOneSecond();
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
    public void Deleting_file_and_sidecar_leaves_empty_cache()
    {
        using DistributedFileStoreCacheString a = Open();
        using DistributedFileStoreCacheString b = Open();
        a.Set("key", "value");
        File.Delete(_folder.CacheFile + ".idx");
        File.Delete(_folder.CacheFile);
        AdvanceOneSecond();
        Assert.Null(a.Get("key"));
        a.Set("after", "1");
        Assert.Equal("1", b.Get("after"));
    }

    [Fact]
    public void Foreign_file_is_saved_aside_and_never_overwritten()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        File.WriteAllText(_folder.CacheFile, "precious\n");
        AdvanceOneSecond();
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
    public void File_of_newer_version_is_reported_once_and_never_changed()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        const string newer = "{\"fsc\":2,\"something\":\"newer\"}\n";
        File.WriteAllText(_folder.CacheFile, newer);
        AdvanceOneSecond();
        Assert.Equal("value", cache.Get("key"));
        Assert.Contains("newer", cache.Status.Fault);
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<DistributedFileStoreCacheException>(() => cache.Set("key", "lost?"));
            AdvanceOneSecond();
        }
        Assert.Equal(1, cache.Status.Faults);
        Assert.Equal(newer, File.ReadAllText(_folder.CacheFile));
        File.Delete(_folder.CacheFile);
        cache.Set("key", "again");
        Assert.Equal("again", cache.Get("key"));
        Assert.Null(cache.Status.Fault);
    }

    [Fact]
    public void Deleted_file_is_detected_when_cache_uses_system_clock()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        cache.Set("key", "value");
        File.Delete(_folder.CacheFile);
        Until.True(() => cache.Get("key") is null);
    }
}
