using Microsoft.Extensions.Caching.Distributed;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file set</c>: sets one entry to a text.</summary>
internal static class SetCommand
{
    internal static int Run(FileInfo file, string key, string value, double? seconds, double? slidingSeconds)
    {
        if (seconds <= 0 || slidingSeconds <= 0)
        {
            Console.Error.WriteLine("--seconds and --sliding-seconds must be greater than 0.");
            return 2;
        }
        using DistributedFileStoreCacheString cache = OpenCache.At(file);
        cache.Set(key, value, new DistributedCacheEntryOptions
        {
            AbsoluteExpirationRelativeToNow = seconds is { } life ? TimeSpan.FromSeconds(life) : null,
            SlidingExpiration = slidingSeconds is { } idle ? TimeSpan.FromSeconds(idle) : null,
        });
        Console.WriteLine($"1 entry set; the cache contains {Count.OfEntries(cache.Count)}");
        return 0;
    }
}
