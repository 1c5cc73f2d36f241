using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>
/// The randomised run of one process: callers that read and write keys whose values are numbered, every answer checked, and recorded for those who have the
/// other processes' records (conformance/AGENT.md, <c>near</c>).
/// </summary>
internal sealed class NearRun : IDisposable
{
    private const int FillBatch = 500;
    private const int SweepCallers = 4;

    private readonly NearRecords? _records;
    private readonly byte[][] _keys;
    private readonly LoadHistogram _histogram = new();
    private readonly Dictionary<string, long> _failures = [];
    private readonly NearCacheStatistics? _before;
    private volatile bool _isOver;
    private long _begun;
    private long _reads;
    private long _plainReads;
    private long _misses;
    private long _writes;
    private long _deletes;

    /// <summary>A run that has not begun.</summary>
    public NearRun(NearSettings settings, CacheClient client, string cache)
    {
        (Settings, Client, Cache) = (settings, client, cache);
        Check = new NearCheck(settings.Keys, settings.DeleteEvery);
        Writes = new NearWrites(settings.Keys, (long)settings.Settle.TotalNanoseconds);
        Chooser = new LoadKeyChooser(settings.Keys, settings.Zipf);
        _keys = [.. Enumerable.Range(0, settings.Keys).Select(key =>
            Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{settings.Prefix}-{key:000000000}")))];
        _records = settings.Records is { } path ? new NearRecords(path, settings.Keys) : null;
        _before = client.NearCache;
    }

    public NearSettings Settings { get; }

    public CacheClient Client { get; }

    public string Cache { get; }

    public NearCheck Check { get; }

    public NearWrites Writes { get; }

    public LoadKeyChooser Chooser { get; }

    /// <summary>Whether the callers are to end.</summary>
    public bool IsOver => _isOver;

    /// <summary>Now, in ns of the clock that all processes of this machine share.</summary>
    public static long NowNs() => (long)(Stopwatch.GetTimestamp() * (1e9 / Stopwatch.Frequency));

    /// <summary>The bytes of a key.</summary>
    public byte[] Key(int key) => _keys[key];

    /// <summary>Whether this process writes a key.</summary>
    public bool IsOwn(int key) => Settings.Index >= 0 && key % Settings.Writers == Settings.Index;

    /// <summary>The key of this process that is nearest before a key, or after it where there is none.</summary>
    public int OwnNear(int key)
    {
        int own = key - (key % Settings.Writers) + Settings.Index;
        return own < Settings.Keys ? own : own - Settings.Writers;
    }

    /// <summary>Runs it to its end: the answer of the op.</summary>
    public async Task<JsonObject> RunAsync()
    {
        if (Settings.Fill)
        {
            await SweepAsync().ConfigureAwait(false);
        }

        _begun = Stopwatch.GetTimestamp();
        Task[] callers = [.. Enumerable.Range(0, Settings.Callers).Select(number => Task.Run(new NearCaller(this, number).RunAsync))];
        Task all = Task.WhenAll(callers);
        await Task.WhenAny(all, Task.Delay(Settings.Time)).ConfigureAwait(false);
        _isOver = true;
        await all.ConfigureAwait(false);
        return Answer();
    }

    /// <summary>Writes a new version of every key of this process, in batches; those that others are writing are passed over.</summary>
    public async Task<JsonObject> SweepAsync()
    {
        long began = NowNs();
        int next = 0;
        int written = 0;
        int[] own = [.. Enumerable.Range(0, Settings.Keys).Where(IsOwn)];
        await Task.WhenAll(Enumerable.Range(0, SweepCallers).Select(_ => Task.Run(async () =>
        {
            for (int first = Interlocked.Add(ref next, FillBatch) - FillBatch; first < own.Length; first = Interlocked.Add(ref next, FillBatch) - FillBatch)
            {
                int stored = await NearCalls.SetBatchAsync(this, own.AsMemory(first, Math.Min(FillBatch, own.Length - first))).ConfigureAwait(false);
                Interlocked.Add(ref written, stored);
            }
        }))).ConfigureAwait(false);
        return AgentAnswer.Result("success").With("written", written).WithNumber("beganNs", began).WithNumber("endedNs", NowNs());
    }

    /// <summary>What has been counted so far.</summary>
    public JsonObject Now()
    {
        double seconds = _begun == 0 ? 0 : Stopwatch.GetElapsedTime(_begun).TotalSeconds;
        long reads = Interlocked.Read(ref _reads);
        JsonObject answer = AgentAnswer.Result("success").With("seconds", seconds).With("reads", reads);
        answer["hits"] = (Client.NearCache?.Hits ?? 0) - (_before?.Hits ?? 0);
        answer["misses"] = Interlocked.Read(ref _misses);
        answer["plainReads"] = Interlocked.Read(ref _plainReads);
        answer["writes"] = Interlocked.Read(ref _writes);
        answer["deletes"] = Interlocked.Read(ref _deletes);
        answer["unsettled"] = Writes.Unsettled();
        answer["violations"] = Check.Violations;
        answer["told"] = new JsonArray([.. Check.FirstTold.Select(static told => (JsonNode)told)]);
        answer["readsPerSecond"] = seconds > 0 ? reads / seconds : 0;
        lock (_failures)
        {
            answer["failures"] = new JsonObject(_failures.Select(static pair => KeyValuePair.Create(pair.Key, (JsonNode?)pair.Value)));
        }

        return answer;
    }

    /// <summary>A read that began at a floor has given a value, or none.</summary>
    public void Read(int key, int floor, long beganNs, bool isPlain, ReadOnlySpan<byte> value, bool isHit)
    {
        long ended = NowNs();
        Count(isPlain);
        int version;
        if (isHit)
        {
            version = NearValue.VersionOf(value, key);
            if (version == 0)
            {
                Check.Violated($"key {key}: a read gave another key's value, or a torn one");
                return;
            }

            Check.Found(key, floor, version);
            _records?.Read(key, version, beganNs, ended);
        }
        else
        {
            Interlocked.Increment(ref _misses);
            // A short-lived value may have expired: its misses say nothing.
            version = Settings.IsShort(key) ? -1 : Check.Missed(key, floor, IsOwn(key) ? Writes.Issued(key) : null);
            if (version > 0)
            {
                _records?.Missed(key, version);
            }
        }

        if (version > 0 && IsOwn(key))
        {
            Writes.Seen(key, version);
        }
    }

    /// <summary>A write has ended with success.</summary>
    public void Wrote(int key, int version)
    {
        long ended = NowNs();
        Check.Finished(key, version);
        _records?.Wrote(key, version, ended);
        Writes.Finished(key);
        Interlocked.Increment(ref _writes);
        if (Check.IsDelete(version))
        {
            Interlocked.Increment(ref _deletes);
        }
    }

    /// <summary>A write has ended with an error.</summary>
    public void WriteFailed(int key, int version, CacheErrorCode code)
    {
        long ended = NowNs();
        _records?.Unknown(key, version, ended);
        Writes.Unknown(key, ended);
        Failed(code);
    }

    /// <summary>A call has ended with an error.</summary>
    public void Failed(CacheErrorCode code)
    {
        lock (_failures)
        {
            string name = code.ToString();
            _failures[name] = _failures.GetValueOrDefault(name) + 1;
        }
    }

    /// <summary>Adds what a caller has counted.</summary>
    public void Add(LoadHistogram histogram)
    {
        lock (_histogram)
        {
            _histogram.Add(histogram);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _records?.Dispose();

    private void Count(bool isPlain)
    {
        if (isPlain)
        {
            Interlocked.Increment(ref _plainReads);
        }

        if (Interlocked.Increment(ref _reads) >= Settings.MostReads)
        {
            _isOver = true;
        }
    }

    private JsonObject Answer()
    {
        JsonObject answer = Now();
        answer["readHistogram"] = LoadLines.Histogram(_histogram);
        return answer;
    }
}
