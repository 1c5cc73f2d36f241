namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file remove</c>: removes entries by key or by prefix, in one write.</summary>
internal static class RemoveCommand
{
    internal static int Run(FileInfo file, string[] keys, string? prefix)
    {
        if ((keys.Length == 0) == (prefix is null))
        {
            Console.Error.WriteLine("Pass either keys or --prefix; exactly one of them is required.");
            return 2;
        }
        if (!file.Exists)
        {
            Console.Error.WriteLine($"The file {file.FullName} does not exist; check the path.");
            return 2;
        }
        using DistributedFileStoreCacheString cache = OpenCache.At(file);
        int removed = prefix is null ? cache.RemoveMany(keys) : cache.RemoveByPrefix(prefix);
        Console.WriteLine($"{Count.OfEntries(removed)} removed; the cache contains {Count.OfEntries(cache.Count)}");
        return 0;
    }
}
