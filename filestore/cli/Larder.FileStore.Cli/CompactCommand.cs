using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli;

/// <summary>The command <c>larder file compact</c>: rewrites the file without its dead lines.</summary>
internal static class CompactCommand
{
    internal static int Run(FileInfo file)
    {
        if (!file.Exists)
        {
            Console.Error.WriteLine($"There is no file {file.FullName}.");
            return 2;
        }
        using CacheEngine engine = CacheEngine.Open(new FileStoreSettings { Path = file.FullName, MaxBytes = 1L << Word.LengthBits });
        long before = engine.FileBytes;
        if (!engine.Compact())
        {
            Console.Error.WriteLine("Another process is compacting the file.");
            return 1;
        }
        Console.WriteLine($"{before} bytes before, {engine.FileBytes} after, {Count.OfEntries(engine.Count)}");
        return 0;
    }
}
