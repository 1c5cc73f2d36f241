namespace Larder.Server.Metrics;

/// <summary>
/// Counts calls down to the next that is sampled. One to a pipeline, or to a thread: its user alone touches it. The gaps are random, so that no rhythm of the
/// calls hides some of them. A thread that serves another server now begins anew: that one's gap tells nothing of this one.
/// </summary>
internal struct SampleGap
{
    private CallSampler? _sampler;
    private int _left;
    private int _present;
    private uint _random;

    /// <summary>How many calls the one that is due stands for.</summary>
    public int Weight { get; private set; }

    /// <summary>Counts a call; true where it is to be sampled.</summary>
    /// <param name="sampler">Who says how far apart samples are.</param>
    public bool IsDue(CallSampler sampler) => (--_left <= 0 || sampler != _sampler) && Begin(sampler);

    private bool Begin(CallSampler sampler)
    {
        int gap = sampler.Gap;
        _present = sampler == _sampler ? _present : 0;
        _sampler = sampler;
        bool isDue = _present != 0 || gap == 1;
        Weight = Math.Max(_present, 1);
        _present = gap;
        if (_random == 0)
        {
            _random = (uint)Random.Shared.Next(1, int.MaxValue);
        }

        // xorshift32 (Marsaglia, 2003): of it only this is asked, that it keeps no step with the calls.
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;

        // From 1 to 2 × gap - 1: gap on average.
        _left = 1 + (int)(_random % (uint)((2 * gap) - 1));
        return isDue;
    }
}
