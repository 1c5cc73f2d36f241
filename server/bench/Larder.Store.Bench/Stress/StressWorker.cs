using System.Buffers.Binary;
using System.Diagnostics;

namespace Larder.Store.Bench;

/// <summary>
/// A thread of a round. It writes only its own keys, which are every <see cref="StressRound.Workers"/>th key. So it knows the version, length and expiry of
/// each of its keys. It reads the keys of all threads. The version of a key must not decrease, must not be older than a set that has returned, and must not
/// reappear after a flush.
/// </summary>
internal sealed partial class StressWorker(int id, StressShared shared)
{
    public const long HourMs = 3_600_000;

    // The clock is read before and after each call, and both times are rounded down.
    private const long ClockSlackMs = 3;
    private const int HotKeys = 16;

    private readonly Random _random = new(shared.Plan.Seed + id);
    private readonly Own[] _own = new Own[shared.Plan.Keys];
    private readonly long[] _seen = new long[shared.Plan.Keys];
    private readonly byte[] _key = new byte[sizeof(int)];
    private readonly byte[] _value = new byte[shared.Plan.MaxValueBytes + 64];
    private readonly byte[] _before = new byte[shared.Plan.MaxValueBytes + 64];

    public long Operations { get; private set; }

    public long Hits { get; private set; }

    public long Misses { get; private set; }

    public long Sets { get; private set; }

    /// <summary>For each counter, the sum that this thread has added.</summary>
    public long[] Added { get; } = new long[StressRound.Counters];

    private static long NowMs => (long)Stopwatch.GetElapsedTime(0).TotalMilliseconds;

    private bool Evicts => shared.Plan.Evicts;

    private Cache Cache => shared.Cache;

    public static byte[] CounterKey(int counter) => [(byte)'n', (byte)counter];

    public void Run()
    {
        while (!shared.Stopped)
        {
            Operations++;
            switch (_random.Next(20))
            {
                case < 7:
                    Get(_random.Next(4) == 0 ? _random.Next(Math.Min(_own.Length, HotKeys)) : _random.Next(_own.Length));
                    break;
                case < 9:
                    LookAtExpiry(_random.Next(_own.Length));
                    break;
                case 9:
                    Increment();
                    break;
                default:
                    Write(OwnKey());
                    break;
            }
        }
    }

    private void Get(int key)
    {
        UseKey(key);
        long[]? flushed = shared.Flushed;
        long completed = shared.CompletedOf(key);
        bool lingers = _random.Next(300) == 0;
        bool nests = lingers && shared.Plan.Nests && _random.Next(10) == 0;
        var sink = new StressSink(key, shared.Failures) { Lingers = lingers, Meanwhile = nests ? SetFromInside : null };
        long before = NowMs;
        bool hit = Cache.TryGet(_key, ref sink);
        if (!hit)
        {
            Misses++;
            CheckLost(key, "a get");
            return;
        }

        Hits++;
        long version = sink.Version;
        Check(version >= _seen[key], key, $"went back from {_seen[key]} to {version}");
        Check(version >= completed, key, $"{version} read after the set of {completed} had returned");
        Check(flushed is null || version > flushed[key], key, $"{version} read after a flush that began after it was set");
        _seen[key] = version;
        if (IsOwn(key))
        {
            Check(version == _own[key].Version, key, $"{version} read, {_own[key].Version} was set last");
            Check(before < _own[key].LatestExpiryMs + ClockSlackMs, key, "read past its TTL");
        }
    }

    private void SetFromInside()
    {
        Cache.Set([1, 2, 3, 4, 5, (byte)id], _value, 100);
        Sets++;
    }

    private void LookAtExpiry(int key)
    {
        UseKey(key);
        long before = NowMs;
        bool there = Cache.TryGetTtl(_key, out long leftMs);
        long after = NowMs;
        if (!there)
        {
            CheckLost(key, "a look at its TTL");
        }
        else if (IsOwn(key))
        {
            Own own = _own[key];
            Check(own.Version != 0, key, "there after it was deleted");
            Check(leftMs <= own.LatestExpiryMs - before + ClockSlackMs, key, $"{leftMs} ms left, at most {own.LatestExpiryMs - before}");
            Check(leftMs >= own.EarliestExpiryMs - after - ClockSlackMs, key, $"{leftMs} ms left, at least {own.EarliestExpiryMs - after}");
            Check(before < own.LatestExpiryMs + ClockSlackMs, key, "there past its TTL");
        }
    }

    private void Increment()
    {
        int counter = _random.Next(StressRound.Counters);
        long amount = Evicts ? 1 : _random.Next(-5, 100);
        IncrementOutcome outcome = Cache.Increment(CounterKey(counter), amount, Evicts ? 1 + _random.Next(1000) : HourMs, out _);
        shared.Failures.Check(outcome == IncrementOutcome.Ok, $"an increment ended as {outcome}");
        Added[counter] += amount;
        Sets++;
    }

    private int OwnKey()
    {
        int own = (_own.Length - id + StressRound.Workers - 1) / StressRound.Workers;
        return (_random.Next(_random.Next(3) == 0 ? Math.Min(own, HotKeys / StressRound.Workers) : own) * StressRound.Workers) + id;
    }

    private bool IsOwn(int key) => key % StressRound.Workers == id;

    private void UseKey(int key) => BinaryPrimitives.WriteInt32LittleEndian(_key, key);

    /// <summary>Checks a miss of a key of this thread: the key must have been deleted or expired, unless entries may be evicted.</summary>
    private void CheckLost(int key, string by) =>
        Check(Evicts || !IsOwn(key) || _own[key].Version == 0 || NowMs >= _own[key].EarliestExpiryMs - ClockSlackMs, key, $"lost before its TTL, by {by}");

    private void Check(bool holds, int key, string what)
    {
        if (!holds)
        {
            shared.Failures.Add($"key {key}: {what}");
        }
    }

    /// <summary>The known state of a key of this thread. The version is 0 if the key was deleted or never set.</summary>
    private record struct Own(long Version, int Length, long EarliestExpiryMs, long LatestExpiryMs);
}
