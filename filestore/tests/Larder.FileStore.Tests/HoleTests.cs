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
        using var cache = _folder.Open(o => o.TimeProvider = _time);
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
        using var fresh = _folder.Open(o => o.TimeProvider = _time);
        Assert.Equal(100, fresh.Count);
        Assert.Equal(0, fresh.Status.DamagedLines);
        cache.Set("after", "1");
        Assert.Equal("1", fresh.Get("after"));
    }
}
