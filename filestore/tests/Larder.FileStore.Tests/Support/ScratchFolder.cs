namespace Larder.FileStore.Tests.Support;

/// <summary>A folder of a test's own, removed at its end.</summary>
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

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
