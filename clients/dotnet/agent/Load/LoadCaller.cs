using System.Diagnostics;

namespace Larder.Agent;

/// <summary>
/// One concurrent caller: says what to ask next and counts what came of it. A target's loop is
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

    /// <summary>Whether the next call is a get; otherwise it is a set of <see cref="Value"/>.</summary>
    public bool IsRead { get; private set; }

    /// <summary>Key to ask for.</summary>
    public byte[] Key { get; private set; } = [];

    /// <summary>The collection that the key is an element of, where calls are on collections.</summary>
    public byte[] Collection { get; private set; } = [];

    /// <summary>Value to set.</summary>
    public byte[] Value { get; private set; } = [];

    /// <summary>TTL to set it with.</summary>
    public TimeSpan Ttl { get; private set; } = TimeSpan.FromMilliseconds(run.Settings.Workload.TtlMs);

    /// <summary>Prepares the next call, when it is due; false when the run is over.</summary>
    public ValueTask<bool> NextAsync() => run.Arrivals is { } arrivals ? arrivals.NextAsync(this) : new(TryNext());

    /// <inheritdoc/>
    public override void Begin(long due, long now, bool wasFree)
    {
        Choose();
        (_due, _started, _wasFree) = (due, now, wasFree);
    }

    /// <summary>The get found a value.</summary>
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

    /// <summary>The read found what is no one key's value.</summary>
    public void Found() => Hit(Key);

    /// <summary>The get found none.</summary>
    public void Miss()
    {
        if (Count() is { } samples)
        {
            samples.Reads++;
            samples.Misses++;
        }
    }

    /// <summary>The set was done.</summary>
    public void Stored() => Count();

    /// <summary>The call failed. A caller whose calls fail at once lets others run.</summary>
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

    /// <summary>Counts the call's latency; null in the warm-up.</summary>
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
