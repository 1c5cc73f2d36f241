using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>
/// The command <c>larder file get</c>: writes a value to standard output. Text is followed by a line end; bytes are written unchanged. The exit code is 1 if
/// the key is missing.
/// </summary>
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
