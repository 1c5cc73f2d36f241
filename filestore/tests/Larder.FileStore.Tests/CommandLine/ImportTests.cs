using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

public sealed class ImportTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string OldFile => Path.ChangeExtension(_folder.CacheFile, ".json");

    [Fact]
    public void Open_imports_old_format_file_once_and_keeps_the_file()
    {
        ManualTime time = new();
        long in10Seconds = time.GetUtcNow().AddSeconds(10).UtcTicks;
        long past = time.GetUtcNow().AddSeconds(-10).UtcTicks;
        string old = $"{{\"Cache\":{{\"a\":\"\\u00E9 \\uD83D\\uDE00\",\"b\":\"2\",\"c\":\"3\"}},\"TimeOuts\":{{\"b\":{in10Seconds},\"c\":{past}}}}}";
        File.WriteAllText(OldFile, old);
        using (DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = time))
        {
            Assert.Equal("é 😀", cache.Get("a"));
            Assert.Equal("2", cache.Get("b"));
            Assert.Null(cache.Get("c"));
            cache.Remove("a");
        }
        time.Advance(TimeSpan.FromSeconds(10));
        using DistributedFileStoreCacheString again = _folder.Open(o => o.TimeProvider = time);
        Assert.Null(again.Get("a"));
        Assert.Null(again.Get("b"));
        Assert.Equal(old, File.ReadAllText(OldFile));
    }

    [Fact]
    public void Open_imports_old_format_file_with_indentation_and_comments()
    {
        File.WriteAllText(OldFile, """
            // written by hand
            {
              "TimeOuts": { },
              "Cache": {
                "a": "1", /* a comment */
                "b": "2",
              },
            }
            """);
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal("1", cache.Get("a"));
        Assert.Equal("2", cache.Get("b"));
    }

    [Fact]
    public void Deleted_cache_file_does_not_trigger_another_import()
    {
        File.WriteAllText(OldFile, "{\"Cache\":{\"a\":\"1\"},\"TimeOuts\":{}}");
        ManualTime time = new();
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = time);
        File.Delete(_folder.CacheFile);
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Null(cache.Get("a"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[1]")]
    [InlineData("{\"Other\":1}")]
    public void Open_error_names_the_invalid_old_format_file(string content)
    {
        File.WriteAllText(OldFile, content);
        Assert.Contains(OldFile, Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open()).Message);
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.ImportOldFile = false);
        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public void Open_imports_old_format_file_after_the_file_is_corrected()
    {
        File.WriteAllText(OldFile, "{");
        Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open());
        File.WriteAllText(OldFile, "{\"Cache\":{\"a\":\"1\"},\"TimeOuts\":{}}");
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal("1", cache.Get("a"));
    }
}
