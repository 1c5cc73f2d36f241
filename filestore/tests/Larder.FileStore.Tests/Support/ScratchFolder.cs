namespace Larder.FileStore.Tests.Support;

/// <summary>A temporary folder, deleted on disposal.</summary>
internal sealed class ScratchFolder : IDisposable
{
    internal string Path { get; } = Directory.CreateTempSubdirectory("larder-filestore-").FullName;

    internal string CacheFile => System.IO.Path.Combine(Path, "Cache.Test.jsonl");

    internal DistributedFileStoreCacheOptions Options(Action<DistributedFileStoreCacheOptions>? change = null)
    {
        DistributedFileStoreCacheOptions options = new()
        {
            PathToCacheFileDirectory = Path,
            FirstPartOfCacheFileName = "Cache",
            SecondPartOfCacheFileName = "Test",
            LockTimeout = TimeSpan.FromSeconds(60),
        };
        change?.Invoke(options);
        return options;
    }

    internal DistributedFileStoreCacheString Open(Action<DistributedFileStoreCacheOptions>? change = null) => new(Options(change));

    internal CacheEngine Engine(Func<FileStoreSettings, FileStoreSettings>? change = null)
    {
        FileStoreSettings settings = Options().ToSettings();
        return CacheEngine.Open(change?.Invoke(settings) ?? settings);
    }

    /// <summary>Truncates the cache file in place.</summary>
    internal void Cut(long length)
    {
        using FileStream file = new(CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        file.SetLength(length);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
