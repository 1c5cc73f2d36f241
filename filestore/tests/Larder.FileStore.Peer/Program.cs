using System.Globalization;
using Larder.FileStore;
using Larder.FileStore.Engine;

// A separate process for tests. The arguments are the folder, followed by Name=Value options.
// It reads commands from standard input, one per line, and writes one line to standard output for each command.
DistributedFileStoreCacheOptions options = new()
{
    PathToCacheFileDirectory = args[0],
    FirstPartOfCacheFileName = "Cache",
    SecondPartOfCacheFileName = "Test",
    LockTimeout = TimeSpan.FromSeconds(60),
};
foreach (string[] option in args.Skip(1).Select(a => a.Split('=')))
{
    switch (option[0])
    {
        case "lock": options.LockTimeout = TimeSpan.FromMilliseconds(int.Parse(option[1], CultureInfo.InvariantCulture)); break;
        case "readonly": options.ReadOnly = bool.Parse(option[1]); break;
        case "durability": options.Durability = Enum.Parse<FileStoreDurability>(option[1]); break;
        case "coherence": options.Coherence = Enum.Parse<FileStoreCoherence>(option[1]); break;
        case "poll": options.PollInterval = TimeSpan.FromMilliseconds(int.Parse(option[1], CultureInfo.InvariantCulture)); break;
    }
}
DistributedFileStoreCacheString cache;
try
{
    cache = new DistributedFileStoreCacheString(options);
}
catch (Exception e) when (e is IOException or DistributedFileStoreCacheException)
{
    Console.WriteLine("failed " + e.GetType().Name + " " + e.Message);
    return;
}
CacheEngine engine = cache.Handler.Engine;
using Coordinator? sidecar = options.ReadOnly ? null : engine.IsPolled ? new LockFile(engine.Path + ".lock") : Sidecar.Open(engine.Path + ".idx");
Console.WriteLine("ready");
while (Console.ReadLine() is { } line)
{
    Console.WriteLine(Answer(line.Split(' ')));
}

string Answer(string[] words)
{
    try
    {
        switch (words[0])
        {
            case "get":
                return cache.Get(words[1]) ?? "(none)";
            case "set":
                cache.Set(words[1], words[2]);
                return "done";
            case "remove":
                cache.Remove(words[1]);
                return "done";
            case "count":
                return cache.Count.ToString(CultureInfo.InvariantCulture);
            case "fill":
                return Fill(words[1], int.Parse(words[2], CultureInfo.InvariantCulture));
            case "add":
                return Add(words[1], int.Parse(words[2], CultureInfo.InvariantCulture));
            case "compact":
                return engine.Compact() ? "done" : "declined";
            case "claim":
                return sidecar!.TryClaimCompaction() ? "claimed" : "declined";
            case "churn":
                Churn(words[1]);
                return "ended";
            case "bus":
                ReadTruncatedMapping(words[1]);
                return "survived";
            case "hold":
                using (engine.HoldLock())
                {
                    Console.WriteLine("held");
                    Console.ReadLine();
                }
                return "released";
            default:
                return "unknown";
        }
    }
    catch (Exception e) when (e is IOException or DistributedFileStoreCacheException or NotSupportedException)
    {
        return "threw " + e.GetType().Name + " " + e.Message;
    }
}

string Fill(string prefix, int count)
{
    for (int i = 0; i < count; i++)
    {
        cache.Set(prefix + i, "value" + i);
    }
    return "done";
}

// Increments a counter the given number of times. Each increment retries a compare-and-set until it succeeds.
string Add(string key, int count)
{
    for (int i = 0; i < count;)
    {
        string? before = cache.Get(key);
        int next = int.Parse(before ?? "0", CultureInfo.InvariantCulture) + 1;
        i += cache.CompareAndSet(key, before, next.ToString(CultureInfo.InvariantCulture)) ? 1 : 0;
    }
    return "done";
}

// Sets entries until the process is killed. After each set, prints the index of the set, which starts at 0.
void Churn(string prefix)
{
    for (int i = 0; ; i++)
    {
        cache.Set(prefix + i % 100, i.ToString(CultureInfo.InvariantCulture));
        Console.WriteLine(i);
        if (i % 500 == 499)
        {
            engine.Compact();
        }
    }
}

// Reads a page of a truncated file that no cache owns. The guard must not suppress this fault.
unsafe void ReadTruncatedMapping(string file)
{
    File.WriteAllBytes(file, new byte[Sidecar.Bytes]);
    using Microsoft.Win32.SafeHandles.SafeFileHandle handle = OpenFile.Try(file)!;
    nint view = NativeMethods.Map(0, Sidecar.Bytes, NativeMethods.ProtectRead, NativeMethods.MapShared, (int)handle.DangerousGetHandle(), 0);
    RandomAccess.SetLength(handle, 0);
    Console.WriteLine(*(byte*)view);
}
