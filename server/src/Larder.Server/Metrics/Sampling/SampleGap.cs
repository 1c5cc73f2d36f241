namespace Larder.Server.Metrics;

/// <summary>
/// A countdown to the next sampled call. One pipeline or thread uses it. The intervals are random, so that periodic patterns of calls are sampled evenly.
/// </summary>
internal struct SampleGap
{
    private long _epoch;
    private int _left;
    private int _present;
    private uint _random;

    /// <summary>Gets the number of calls that the sampled call represents.</summary>
    public int Weight { get; private set; }

    /// <summary>Counts a call and returns whether to sample it.</summary>
    /// <param name="sampler">The sampler that determines the interval.</param>
    public bool IsDue(CallSampler sampler) => (--_left <= 0 || sampler.Epoch != _epoch) && Begin(sampler);

    private bool Begin(CallSampler sampler)
    {
        // Reads the epoch before the interval. If the interval decreases between the two reads, the next call starts a new countdown.
        long epoch = sampler.Epoch;
        int gap = sampler.Gap;

        // Discards a countdown that belongs to another epoch or sampler, because its interval is too long for the current call rate.
        _present = epoch == _epoch ? _present : 0;
        _epoch = epoch;
        bool isDue = _present != 0 || gap == 1;
        Weight = Math.Max(_present, 1);
        _present = gap;
        if (_random == 0)
        {
            _random = (uint)Random.Shared.Next(1, int.MaxValue);
        }

        // xorshift32 (Marsaglia, 2003). The numbers only need to be independent of the pattern of calls.
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;

        // The result is a random number from 1 to 2 × gap - 1. Its average is gap.
        _left = 1 + (int)(_random % (uint)((2 * gap) - 1));
        return isDue;
    }
}
