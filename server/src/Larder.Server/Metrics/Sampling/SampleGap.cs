namespace Larder.Server.Metrics;

/// <summary>
/// Counts calls down to the next one that is sampled. A pipeline or a thread has one of its own, used by no other. Gaps are random, so that a periodic pattern
/// of calls is sampled evenly.
/// </summary>
internal struct SampleGap
{
    private long _epoch;
    private int _left;
    private int _present;
    private uint _random;

    /// <summary>The number of calls that the sampled call stands for.</summary>
    public int Weight { get; private set; }

    /// <summary>Counts a call. Returns whether it is to be sampled.</summary>
    /// <param name="sampler">The sampler that decides the gap.</param>
    public bool IsDue(CallSampler sampler) => (--_left <= 0 || sampler.Epoch != _epoch) && Begin(sampler);

    private bool Begin(CallSampler sampler)
    {
        // The epoch first: if the gap narrows between the two reads, the next call begins again.
        long epoch = sampler.Epoch;
        int gap = sampler.Gap;

        // A countdown of another epoch, or of another sampler, is dropped: its gap is too wide for the present rate.
        _present = epoch == _epoch ? _present : 0;
        _epoch = epoch;
        bool isDue = _present != 0 || gap == 1;
        Weight = Math.Max(_present, 1);
        _present = gap;
        if (_random == 0)
        {
            _random = (uint)Random.Shared.Next(1, int.MaxValue);
        }

        // xorshift32 (Marsaglia, 2003): it only has to be independent of the calls' pattern.
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;

        // From 1 to 2 × gap - 1: gap on average.
        _left = 1 + (int)(_random % (uint)((2 * gap) - 1));
        return isDue;
    }
}
