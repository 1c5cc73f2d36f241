using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>larder file get: one value on standard output, a text with a line end, bytes as they are. Exit code 1 where there is none.</summary>
internal static class GetCommand
{
    internal static int Run(FileInfo file, string key)
    {
        using CacheEngine cache = OpenCache.ToRead(file);
        object? value = cache.Find(key)?.Value;
        if (value is string text)
        {
            Console.WriteLine(text);
        }
        else if (value is byte[] bytes)
        {
            using Stream output = Console.OpenStandardOutput();
            output.Write(bytes);
        }
        return value is null ? 1 : 0;
    }
}
