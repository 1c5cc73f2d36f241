
namespace Larder.FileStore.Tests;

/// <summary>A file cut short at the very moment of a write: the line stands where it should, and before it nothing.</summary>
public sealed class HoleTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void It_is_noticed_within_a_second_and_rebuilt_from_memory()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = _time);
        for (int i = 0; i < 100; i++)
        {
            cache.Set("key" + i, new string('v', 1000));
        }
        using (FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            long length = file.Length;
            file.SetLength(20_000);
            file.SetLength(length);
        }
        _time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal(1, cache.Status.Faults);
        using DistributedFileStoreCacheString fresh = _folder.Open(o => o.TimeProvider = _time);
        Assert.Equal(100, fresh.Count);
        Assert.Equal(0, fresh.Status.DamagedLines);
        cache.Set("after", "1");
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void Who_had_not_read_what_it_took_says_a_fault_at_once()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = _folder.Open(o => o.TimeProvider = _time);
        writer.Set("key", "first");
        Assert.Equal("first", reader.Get("key"));
        long length = new FileInfo(_folder.CacheFile).Length;
        writer.Set("key", new string('v', 1000));
        writer.Set("other", "1");
        long whole = new FileInfo(_folder.CacheFile).Length;
        _folder.Cut(length);
        _folder.Cut(whole);
        Assert.Equal("first", reader.Get("key"));
        Assert.Equal(1, reader.Status.Faults);
        Assert.Contains("what they held is lost", reader.Status.LastFault);
    }
}
