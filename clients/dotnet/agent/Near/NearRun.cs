using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <summary>
/// The randomized run of one process. Its callers read and write keys whose values are numbered. Every response is checked, and recorded so that it can be
/// compared with the records of the other processes (conformance/AGENT.md, <c>near</c>).
/// </summary>
internal sealed class NearRun : IDisposable
{
    private const int FillBatch = 500;
    private const int SweepCallers = 4;

    private readonly NearRecords? _records;
    private readonly byte[][] _keys;
    private readonly LoadHistogram _histogram = new();
    private readonly Dictionary<string, long> _failures = [];
    private readonly TaskCompletionSource _filled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _go = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly NearCounts _counts = new();
    private volatile NearCounts _before = new();
    private volatile bool _isMeasuring;
    private volatile bool _isOver;
    private long _begun;

    /// <summary>Creates a run without starting it.</summary>
    public NearRun(NearSettings settings, CacheClient client, Cache cache)
    {
        (Settings, Client, Cache) = (settings, client, cache);
        Check = new NearCheck(settings.Keys, settings.DeleteEvery);
        Writes = new NearWrites(settings.Keys, (long)settings.Settle.TotalNanoseconds);
        Chooser = new LoadKeyChooser(settings.Keys, settings.Zipf);
        _keys = [.. Enumerable.Range(0, settings.Keys).Select(key =>
            Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{settings.Prefix}-{key:000000000}")))];
        _records = settings.Records is { } path ? new NearRecords(path, settings.Keys) : null;
    }

    public NearSettings Settings { get; }

    public CacheClient Client { get; }

    public Cache Cache { get; }

    public NearCheck Check { get; }

    public NearWrites Writes { get; }

    public LoadKeyChooser Chooser { get; }

    /// <summary>
    /// Gets the task that completes when each key of this process has been written. If <see cref="NearSettings.Fill"/> is false, it completes when the run
    /// starts.
    /// </summary>
    public Task Filled => _filled.Task;

    /// <summary>Gets whether the warm-up is over.</summary>
    public bool IsMeasuring => _isMeasuring;

    /// <summary>Gets whether the callers should stop.</summary>
    public bool IsOver => _isOver;

    /// <summary>Returns the current time in ns of the clock that all processes of this machine share.</summary>
    public static long NowNs() => (long)(Stopwatch.GetTimestamp() * (1e9 / Stopwatch.Frequency));

    /// <summary>Returns the bytes of a key.</summary>
    public byte[] Key(int key) => _keys[key];

    /// <summary>Returns whether this process writes a key.</summary>
    public bool IsOwn(int key) => Settings.Index >= 0 && key % Settings.Writers == Settings.Index;

    /// <summary>
    /// Returns a key that this process writes and that is near the given key. The keys are divided into groups of <see cref="NearSettings.Writers"/>
    /// consecutive keys, and each process writes one key of each group. The result is in the group of the given key. If that group
    /// contains no key of this process, because it is the incomplete last group, the result is in the group before it.
    /// </summary>
    public int OwnNear(int key)
    {
        int own = key - (key % Settings.Writers) + Settings.Index;
        return own < Settings.Keys ? own : own - Settings.Writers;
    }

    /// <summary>Executes the run, and returns the response of the <c>near</c> operation when the run is over.</summary>
    public async Task<JsonObject> RunAsync()
    {
        if (Settings.Fill)
        {
            await SweepAsync().ConfigureAwait(false);
        }

        _filled.TrySetResult();
        if (Settings.Hold)
        {
            await _go.Task.ConfigureAwait(false);
        }

        Task[] callers =
        [
            .. Enumerable.Range(0, Settings.Callers + Settings.Peekers)
                .Select(number => Task.Run(new NearCaller(this, number, isPeeker: number >= Settings.Callers).RunAsync)),
        ];
        Task all = Task.WhenAll(callers);
        await Task.WhenAny(all, Task.Delay(Settings.Warmup)).ConfigureAwait(false);
        _before = Counted();
        _begun = Stopwatch.GetTimestamp();
        _isMeasuring = true;
        await Task.WhenAny(all, Task.Delay(Settings.Time)).ConfigureAwait(false);
        _isOver = true;
        await all.ConfigureAwait(false);
        return Answer();
    }

    /// <summary>Starts the timed part of a run that waits for an explicit start (<see cref="NearSettings.Hold"/>).</summary>
    public void Go() => _go.TrySetResult();

    /// <summary>Writes a new version of every key of this process, in batches. Skips keys that other callers are writing.</summary>
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

    /// <summary>Returns the counts so far.</summary>
    public JsonObject Now()
    {
        double seconds = _begun == 0 ? 0 : Stopwatch.GetElapsedTime(_begun).TotalSeconds;
        (NearCounts now, NearCounts before) = (Counted(), _before);
        JsonObject answer = AgentAnswer.Result("success").With("seconds", seconds).With("reads", now.Reads - before.Reads);
        answer["hits"] = now.Hits - before.Hits;
        answer["misses"] = now.Misses - before.Misses;
        answer["plainReads"] = now.PlainReads - before.PlainReads;
        answer["writes"] = now.Writes - before.Writes;
        answer["deletes"] = now.Deletes - before.Deletes;
        answer["unsettled"] = Writes.Unsettled();
        answer["violations"] = Check.Violations;
        answer["told"] = new JsonArray([.. Check.FirstTold.Select(static told => (JsonNode)told)]);
        answer["readsPerSecond"] = seconds > 0 ? (now.Reads - before.Reads) / seconds : 0;
        lock (_failures)
        {
            answer["failures"] = new JsonObject(_failures.Select(static pair => KeyValuePair.Create(pair.Key, (JsonNode?)pair.Value)));
        }

        return answer;
    }

    /// <summary>
    /// Checks and records a successful read. <paramref name="floor"/> is the key's <see cref="NearCheck.Floor"/> when the read began. If
    /// <paramref name="isHit"/> is false, the read found no value.
    /// </summary>
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
                Check.Violated($"key {key}: a read returned another key's value or a torn value");
                return;
            }

            Check.Found(key, floor, version);
            _records?.Read(key, version, beganNs, ended);
        }
        else
        {
            Interlocked.Increment(ref _counts.Misses);
            // A short-lived value may have expired, so a miss of its key cannot be checked.
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

    /// <summary>Records a successful write.</summary>
    public void Wrote(int key, int version)
    {
        long ended = NowNs();
        Check.Finished(key, version);
        _records?.Wrote(key, version, ended);
        Writes.Finished(key);
        Interlocked.Increment(ref _counts.Writes);
        if (Check.IsDelete(version))
        {
            Interlocked.Increment(ref _counts.Deletes);
        }
    }

    /// <summary>Records a write that ended with an error.</summary>
    public void WriteFailed(int key, int version, CacheErrorCode code)
    {
        long ended = NowNs();
        _records?.Unknown(key, version, ended);
        Writes.Unknown(key, ended);
        Failed(code);
    }

    /// <summary>Counts a failed call.</summary>
    public void Failed(CacheErrorCode code)
    {
        lock (_failures)
        {
            string name = code.ToString();
            _failures[name] = _failures.GetValueOrDefault(name) + 1;
        }
    }

    /// <summary>Adds the latencies of a caller to the latencies of the run.</summary>
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
            Interlocked.Increment(ref _counts.PlainReads);
        }

        if (Interlocked.Increment(ref _counts.Reads) >= Settings.MaxReads)
        {
            _isOver = true;
        }
    }

    private NearCounts Counted() => _counts.With(Client.NearCache?.Hits ?? 0);

    private JsonObject Answer()
    {
        JsonObject answer = Now();
        answer["readHistogram"] = LoadLines.Histogram(_histogram);
        return answer;
    }
}
