using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// One concurrent caller: chooses the next call and counts its result. A target's loop is
/// <c>while (await caller.NextAsync()) { … one call … caller.Hit(value) | Miss() | Stored() | Failed(code) }</c>.
/// </summary>
internal sealed class LoadCaller(LoadRun run, int number) : LoadTurn
{
    private readonly LoadItems _items = run.Items;
    private readonly LoadWorkload _workload = run.Settings.Workload;
    private LoadRandom _random = new(run.Settings.Seed, number);
    private long _due;
    private long _started;
    private bool _wasFree;

    /// <summary>Gets whether the next call is a get. If false, the call sets <see cref="Value"/>.</summary>
    public bool IsRead { get; private set; }

    /// <summary>Gets the key of the next call.</summary>
    public byte[] Key { get; private set; } = [];

    /// <summary>Gets the collection that contains the key. Used only by a load of collection calls.</summary>
    public byte[] Collection { get; private set; } = [];

    /// <summary>Gets the value to set.</summary>
    public byte[] Value { get; private set; } = [];

    /// <summary>Gets the TTL of a set.</summary>
    public TimeSpan Ttl { get; private set; } = TimeSpan.FromMilliseconds(run.Settings.Workload.TtlMs);

    /// <summary>Prepares the next call and waits until it is due. Returns false when the run is over.</summary>
    public ValueTask<bool> NextAsync() => run.Arrivals is { } arrivals ? arrivals.NextAsync(this) : new(TryNext());

    /// <inheritdoc/>
    public override void Begin(long due, long now, bool wasFree)
    {
        Choose();
        (_due, _started, _wasFree) = (due, now, wasFree);
    }

    /// <summary>Counts a get that found a value.</summary>
    public void Hit(ReadOnlySpan<byte> value)
    {
        if (Count() is { } samples)
        {
            samples.Reads++;
            samples.Hits++;
            if (run.Settings.Verify && !LoadItems.Belongs(value, Key))
            {
                samples.Crossed++;
            }
        }
    }

    /// <summary>Counts a successful read. Does not verify the result, because it is not the value of a single key.</summary>
    public void Found() => Hit(Key);

    /// <summary>Counts a get that found no value.</summary>
    public void Miss()
    {
        if (Count() is { } samples)
        {
            samples.Reads++;
            samples.Misses++;
        }
    }

    /// <summary>Counts a successful set.</summary>
    public void Stored() => Count();

    /// <summary>Counts a failed call. Yields the thread if the calls of this caller fail synchronously, so that other callers can run.</summary>
    public async ValueTask FailedAsync(string code)
    {
        if (Count() is { } samples)
        {
            samples.Reads += IsRead ? 1 : 0;
            samples.Fail(code);
        }

        await Task.Yield();
    }

    private bool TryNext()
    {
        if (run.Phase >= LoadPhase.Draining)
        {
            return false;
        }

        Choose();
        _due = _started = Stopwatch.GetTimestamp();
        return true;
    }

    private void Choose()
    {
        if (_items.Trace is { } trace)
        {
            (IsRead, _, Key, Value, Ttl) = trace.Next();
            return;
        }

        int key = _items.Chooser.Next(ref _random);
        Collection = _items.Collection(key);
        IsRead = _random.Unit() < _workload.ReadRatio;
        if (IsRead && _workload.MissRatio > 0 && _random.Unit() < _workload.MissRatio)
        {
            Key = _items.AbsentKey(key);
            return;
        }

        Key = _items.Key(key);
        Value = _items.Value(key);
        if (_workload.TtlMsMix is not null)
        {
            Ttl = _workload.TtlOf(key);
        }
    }

    /// <summary>Records the call's latency and returns the thread's samples, or null during the warm-up.</summary>
    private LoadSamples? Count()
    {
        long ended = Stopwatch.GetTimestamp();
        LoadPhase phase = run.Phase;
        var samples = LoadSamples.Of(run);
        if (phase == LoadPhase.WarmingUp)
        {
            return null;
        }

        samples.Histogram.Record(Nanoseconds(ended - _due));
        samples.Service?.Record(Nanoseconds(ended - _started));
        if (_wasFree)
        {
            samples.Late?.Record(Nanoseconds(_started - _due));
        }

        if (phase == LoadPhase.Measuring)
        {
            samples.Requests++;
        }
        else
        {
            samples.LateRequests++;
        }

        return samples;
    }

    private static long Nanoseconds(long ticks) => (long)(ticks * (1e9 / Stopwatch.Frequency));
}
