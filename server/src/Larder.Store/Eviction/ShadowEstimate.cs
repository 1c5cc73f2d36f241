using System.Numerics;

namespace Larder.Store;

/// <summary>
/// Simulates small caches with the store's eviction policy. The simulations use a sample of the keys, which is chosen by hash. Simulations with half and twice
/// the memory show how the hit ratio depends on the memory size. Simulations with other shares for the small queue find the share with the best hit ratio. The
/// shards then use this share. Sampling starts with the store's first eviction.
/// </summary>
internal sealed class ShadowEstimate
{
    // This number of sampled entries is large enough to distinguish the candidates, and small enough that the simulation cost is negligible.
    private const int SampledEntries = 4096;
    private const int MinSamplingShift = 4;
    private const int MaxSamplingShift = 18;

    // The position of the lowest bit of a hash that is used to select the sampled keys. Lower bits (at most 10) select the shard, and the high 32 bits select
    // the index slot.
    private const int SampleBit = 10;

    // The number of accesses between two comparisons of the candidates.
    private const int WindowAccesses = 8192;

    // The current share is replaced only if another share has a hit ratio that is higher by at least this amount.
    private const double Advantage = 0.002;

    private static readonly double[] s_smallTargets = [0.02, 0.10, 0.30, 0.55];

    private readonly Lock _lock = new();
    private readonly long _capacityBytes;
    private readonly ShadowCache[] _candidates = [.. s_smallTargets.Select(target => new ShadowCache(target))];
    private readonly ShadowCache _half = new(DefaultSmallTarget);
    private readonly ShadowCache _double = new(DefaultSmallTarget);
    private int _chosen = 1;
    private int _shift;
    private int _untilCheck = WindowAccesses;
    private double _smallTarget = DefaultSmallTarget;
    private ulong _mask = ulong.MaxValue;

    public ShadowEstimate(long capacityBytes) => _capacityBytes = capacityBytes;

    /// <summary>The share of the small queue that the S3-FIFO paper recommends, 0 to 1.</summary>
    public const double DefaultSmallTarget = 0.10;

    /// <summary>The share of the small queue with the best hit ratio for the current traffic, 0 to 1.</summary>
    public double SmallTarget => Volatile.Read(ref _smallTarget);

    /// <summary>Returns whether to record accesses to this key.</summary>
    public bool Samples(ulong hash) => (hash & Volatile.Read(ref _mask)) == 0;

    /// <summary>
    /// Starts sampling, at a rate that suits the number of entries in the store. Called when entries must be evicted. Later calls change the rate only if the
    /// number of entries has changed considerably.
    /// </summary>
    public void Start(long storeEntries)
    {
        int shift = Math.Clamp(BitOperations.Log2((ulong)Math.Max(storeEntries / SampledEntries, 1)), MinSamplingShift, MaxSamplingShift);
        if (shift == Volatile.Read(ref _shift) || (_shift != 0 && Math.Abs(shift - _shift) < 2))
        {
            return;
        }

        lock (_lock)
        {
            // Keys outside the new sample stay in the small caches until they are evicted. Such changes are rare, so this does not affect the results.
            Volatile.Write(ref _shift, shift);
            Volatile.Write(ref _mask, ((1UL << shift) - 1) << SampleBit);
        }
    }

    /// <summary>Simulates accesses. Ignores them if another thread is running a simulation, because no caller should wait for an estimate.</summary>
    public void Play(ReadOnlySpan<AccessSample> accesses)
    {
        if (!_lock.TryEnter())
        {
            return;
        }

        try
        {
            long capacity = _capacityBytes >> _shift;
            foreach (ref readonly AccessSample access in accesses)
            {
                foreach (ShadowCache candidate in _candidates)
                {
                    candidate.Play(access, capacity);
                }

                _half.Play(access, capacity / 2);
                _double.Play(access, capacity * 2);
                if (--_untilCheck == 0)
                {
                    Look();
                }
            }
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>Returns the estimated hit ratios, or null if there is no data yet.</summary>
    public ShadowHitRatios? Estimate()
    {
        lock (_lock)
        {
            return _double.Lookups == 0 ? null : new ShadowHitRatios(_half.HitRatio, _candidates[_chosen].HitRatio, _double.HitRatio);
        }
    }

    private void Look()
    {
        _untilCheck = WindowAccesses;
        int best = _chosen;
        for (int i = 0; i < _candidates.Length; i++)
        {
            double lead = i == _chosen || best != _chosen ? 0 : Advantage;
            best = _candidates[i].HitRatio > _candidates[best].HitRatio + lead ? i : best;
        }

        _chosen = best;
        _half.SmallTarget = _double.SmallTarget = s_smallTargets[best];
        Volatile.Write(ref _smallTarget, s_smallTargets[best]);
        foreach (ShadowCache cache in (ShadowCache[])[.. _candidates, _half, _double])
        {
            cache.Fade();
        }
    }
}
