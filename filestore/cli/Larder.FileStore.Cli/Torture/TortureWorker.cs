using System.Collections.Concurrent;
using System.Globalization;
using Larder.FileStore.Engine;

namespace Larder.FileStore.Cli.Torture;

/// <summary>
/// Runs one process of the torture test. It continuously sets numbered values, and sometimes reopens or compacts the cache. It replies to the commands
/// <c>get id key</c> and <c>sync id</c> on standard input, and exits at the end of its input. It reports on standard output:
/// <list type="bullet">
/// <item><c>opened</c>, or <c>cannot open reason</c>: the cache was opened, or could not be opened.</item>
/// <item><c>ack n</c>, or <c>fail n reason</c>: value n was set, or could not be set.</item>
/// <item><c>unsaid n reason</c>: the set of value n failed with an I/O error that the status of the cache does not report.</item>
/// <item><c>stale n value</c>: the read after the set of value n returned a different value.</item>
/// <item><c>odd key value</c>: a read returned a value that no process ever wrote.</item>
/// <item><c>cannot compact reason</c>: the cache could not be compacted or closed.</item>
/// <item><c>fault text</c>: the cache reported a fault.</item>
/// <item><c>file id, generation, bytes, entries, faults</c>: the cache switched to a different file.</item>
/// </list>
/// </summary>
internal sealed class TortureWorker(string file, int process, long number) : IDisposable
{
    private readonly ConcurrentQueue<string> _asked = new();
    private readonly Random _random = new();
    private readonly TextWriter _out = Console.Out;
    private CacheFileHandler? _cache;
    private long _faults;

    /// <summary>The id and generation of the file that was last reported.</summary>
    private (ulong Id, long Generation) _file;
    private volatile bool _ended;

    internal int Run()
    {
        new Thread(Listen) { IsBackground = true }.Start();
        while (!_ended)
        {
            Answer();
            if (_cache is null && !TryOpen())
            {
                Thread.Sleep(20);
                continue;
            }
            Step(_cache!);
        }
        return 0;
    }

    public void Dispose() => _cache?.Dispose();

    private void Listen()
    {
        while (Console.ReadLine() is { } line)
        {
            _asked.Enqueue(line);
        }
        _ended = true;
    }

    private bool TryOpen()
    {
        try
        {
            _cache = new CacheFileHandler(CacheEngine.Open(new FileStoreSettings { Path = file }));
            _faults = 0;
            _file = default;
            Tell("opened");
            TellFaults(_cache);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            Tell($"cannot open {e.Message}");
            return false;
        }
    }

    private void Step(CacheFileHandler cache)
    {
        try
        {
            switch (_random.Next(4000))
            {
                case 0:
                    cache.Dispose();
                    _cache = null;
                    break;
                case < 3:
                    cache.Engine.Compact();
                    break;
                default:
                    Set(cache);
                    break;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            Tell($"cannot compact {e.Message}");
        }
        TellFaults(cache);
    }

    private void Set(CacheFileHandler cache)
    {
        long next = number++;
        string key = TortureValue.KeyOf(process, next);
        try
        {
            cache.SetKeyValue(key, TortureValue.Of(next));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or DistributedFileStoreCacheException)
        {
            Tell($"fail {next} {e.Message}");
            if (e is IOException && cache.Status.Fault is null && cache.Status.Faults == _faults)
            {
                Tell($"unsaid {next} {e.Message}");
            }
            TellFaults(cache);
            Thread.Sleep(5);
            return;
        }
        Tell($"ack {next}");
        string? read = cache.GetValue(key);
        if (TortureValue.NumberIn(read) != next)
        {
            Tell($"stale {next} {read?[..Math.Min(read.Length, 20)] ?? "(none)"}");
        }
    }

    private void Answer()
    {
        while (_asked.TryDequeue(out string? line))
        {
            string[] words = line.Split(' ');
            if (words[0] == "sync")
            {
                if (_cache is { } told)
                {
                    TellFaults(told);
                }
                Tell("synced " + words[1]);
            }
            else if (_cache is { } cache)
            {
                string? value = cache.GetValue(words[2]);
                long? found = TortureValue.NumberIn(value);
                if (found is null)
                {
                    Tell($"odd {words[2]} {value}");
                }
                Tell(string.Create(CultureInfo.InvariantCulture, $"got {words[1]} {found ?? -2} {Environment.TickCount64}"));
            }
            else
            {
                Tell($"got {words[1]} closed 0");
            }
        }
    }

    private void TellFaults(CacheFileHandler cache)
    {
        CacheEngine engine = cache.Engine;
        if (engine.Faults != _faults)
        {
            _faults = engine.Faults;
            Tell("fault " + engine.LastFault);
        }
        if ((engine.LogId, engine.Generation) != _file)
        {
            _file = (engine.LogId, engine.Generation);
            Tell(string.Create(CultureInfo.InvariantCulture,
                $"file {_file.Id:x}, generation {_file.Generation}, {engine.FileBytes} bytes, {engine.Entries} entries, faults {_faults}"));
        }
    }

    private void Tell(string line)
    {
        _out.WriteLine(line.ReplaceLineEndings(" "));
        _out.Flush();
    }
}
