using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Bench;

/// <summary>A file store with a given number of entries in a temporary folder. The keys have 10 characters and the values 15.</summary>
internal sealed class Subject : IDisposable
{
    private static readonly DistributedCacheEntryOptions Hour = new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) };
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-bench-").FullName;

    internal Subject(int entries, bool withExpiry = false)
    {
        Cache = OpenAgain();
        for (int from = 0; from < entries; from += 1000)
        {
            Cache.SetMany([.. Enumerable.Range(from, Math.Min(1000, entries - from))
                .Select(i => new KeyValuePair<string, string>(Key(i), Value(i)))], withExpiry ? Hour : null);
        }
    }

    internal DistributedFileStoreCacheClass Cache { get; }

    internal static string Key(int i) => $"key{i:0000000}";

    internal static string Value(int i) => $"value{i:0000000000}";

    /// <summary>Opens a second cache with the same file and a separate in-memory table, as another process would.</summary>
    internal DistributedFileStoreCacheClass OpenAgain() => new(new DistributedFileStoreCacheOptions
    {
        PathToCacheFileDirectory = _folder,
        FirstPartOfCacheFileName = "Bench",
        SecondPartOfCacheFileName = "Bench",
        MaxBytes = 1L << 34,
    });

    public void Dispose()
    {
        Cache.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
