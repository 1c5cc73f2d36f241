using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file compact</c>: rewrites the file without its dead lines.</summary>
internal static class CompactCommand
{
    internal static int Run(FileInfo file)
    {
        if (!file.Exists)
        {
            Console.Error.WriteLine($"The file {file.FullName} does not exist; check the path.");
            return 2;
        }
        using CacheEngine engine = CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits });
        long before = engine.FileBytes;
        if (!engine.Compact())
        {
            Console.Error.WriteLine("Another process is compacting the file; try again later.");
            return 1;
        }
        Console.WriteLine($"compacted from {before} to {engine.FileBytes} bytes, {Count.OfEntries(engine.Count)}");
        return 0;
    }
}
