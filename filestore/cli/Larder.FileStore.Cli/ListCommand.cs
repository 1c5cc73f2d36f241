using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>larder file list: the keys, one a line, sorted.</summary>
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
