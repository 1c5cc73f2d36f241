using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file list</c>: prints the keys, sorted, one per line.</summary>
internal static class ListCommand
{
    internal static int Run(FileInfo file, string prefix)
    {
        using CacheEngine cache = OpenCache.ToRead(file);
        foreach (string key in cache.WithPrefix(prefix).Select(e => e.Key).Order(StringComparer.Ordinal))
        {
            Console.WriteLine(key);
        }
        return 0;
    }
}
