using System.Numerics;

namespace Larder.Store;

/// <summary>
/// Watches a sample of the keys, chosen by hash, and plays them in small caches of the same policy: with half and with twice the memory,
/// to tell what more memory would bring; and with the present memory but other shares of the small queue, to set the shards' share to
/// the one that does best on this traffic. Nothing is watched before the store has first evicted something.
/// </summary>
internal sealed class ShadowEstimate
{
    // Enough sampled entries that the candidates can be told apart, few enough that playing them costs nothing to speak of.
    private const int SampledEntries = 4096;
    private const int MinSamplingShift = 4;
    private const int MaxSamplingShift = 18;

    // The low bits of a hash choose the shard, at most 10 of them, and the high 32 the place in it.
    private const int SampleBit = 10;

    // Accesses played between two looks at which share does best.
    private const int WindowAccesses = 8192;

    // A share must beat the present one by this much of a hit ratio to replace it.
    private const double Advantage = 0.002;

    private static readonly double[] s_smallTargets = [0.02, 0.10, 0.30, 0.55];

    private readonly Lock _lock = new();
    private readonly long _capacityBytes;
    private readonly ShadowCache[] _candidates = [.. s_smallTargets.Select(target => new ShadowCache(target))];
    private readonly ShadowCache _half = new(DefaultSmallTarget);
    private readonly ShadowCache _double = new(DefaultSmallTarget);
    private int _chosen = 1;
    private int _shift;
    private int _untilLook = WindowAccesses;
    private double _smallTarget = DefaultSmallTarget;
    private ulong _mask = ulong.MaxValue;

    public ShadowEstimate(long capacityBytes) => _capacityBytes = capacityBytes;

    /// <summary>S3-FIFO's published share.</summary>
    public const double DefaultSmallTarget = 0.10;

    /// <summary>The share of the small queue that does best on the present traffic, 0 to 1.</summary>
    public double SmallTarget => Volatile.Read(ref _smallTarget);

    /// <summary>Whether accesses to this key are to be recorded.</summary>
    public bool Samples(ulong hash) => (hash & Volatile.Read(ref _mask)) == 0;

    /// <summary>Begins to watch, with a sample that suits this many entries. Called when memory is short, as often as one likes.</summary>
    public void Start(long storeEntries)
    {
        int shift = Math.Clamp(BitOperations.Log2((ulong)Math.Max(storeEntries / SampledEntries, 1)), MinSamplingShift, MaxSamplingShift);
        if (shift == Volatile.Read(ref _shift) || (_shift != 0 && Math.Abs(shift - _shift) < 2))
        {
            return;
        }

        lock (_lock)
        {
            // Keys that leave the sample stay in the small caches until evicted; with a change this rare they do not weigh.
            Volatile.Write(ref _shift, shift);
            Volatile.Write(ref _mask, ((1UL << shift) - 1) << SampleBit);
        }
    }

    /// <summary>Plays accesses; drops them if another thread is playing, since no caller should wait for an estimate.</summary>
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
                if (--_untilLook == 0)
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

    /// <summary>The hit ratios, or null before there is anything to tell.</summary>
    public ShadowHitRatios? Estimate()
    {
        lock (_lock)
        {
            return _double.Lookups == 0 ? null : new ShadowHitRatios(_half.HitRatio, _candidates[_chosen].HitRatio, _double.HitRatio);
        }
    }

    private void Look()
    {
        _untilLook = WindowAccesses;
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
