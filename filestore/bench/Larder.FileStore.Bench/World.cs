using Microsoft.Extensions.Caching.Memory;

namespace Larder.FileStore.Bench;

/// <summary>
/// The file store and the caches it is compared with, filled with the same entries. Benchmarks with the same number of entries share one instance.
/// </summary>
internal sealed class World : IDisposable
{
    private static World? s_current;

    private World(int entries)
    {
        Entries = entries;
        Plain = new Subject(entries);
        Expiring = new Subject(entries, withExpiry: true);
        Dictionary = Enumerable.Range(0, entries).ToDictionary(Subject.Key, Subject.Value);
        foreach ((string key, string value) in Dictionary)
        {
            Memory.Set(key, value);
            ExpiringMemory.Set(key, value, TimeSpan.FromHours(1));
        }
    }

    internal int Entries { get; }

    internal Subject Plain { get; }

    internal Subject Expiring { get; }

    internal Dictionary<string, string> Dictionary { get; }

    internal MemoryCache Memory { get; } = new(new MemoryCacheOptions());

    internal MemoryCache ExpiringMemory { get; } = new(new MemoryCacheOptions());

    internal static World Of(int entries)
    {
        if (s_current?.Entries != entries)
        {
            s_current?.Dispose();
            s_current = new World(entries);
        }
        return s_current;
    }

    public void Dispose()
    {
        Plain.Dispose();
        Expiring.Dispose();
        Memory.Dispose();
        ExpiringMemory.Dispose();
    }
}
