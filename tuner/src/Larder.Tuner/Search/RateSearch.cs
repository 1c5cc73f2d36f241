using Larder.Report.Runs;

namespace Larder.Tuner.Search;

/// <summary>
/// Chooses the scheduled rate to try next. The search finds the highest rate that meets a target, with the smallest concurrency limit that sustains it. From a
/// first guess, the search moves up or down until one rate meets the target and a higher one misses it. It then tries the rate at which the curve through all
/// measurements (<see cref="RateCurve"/>) crosses the limit, until the two rates are close. It then bisects the concurrency limits at a rate slightly below the
/// crossing, and confirms the result by two consecutive longer runs. A confirmation that misses the target adds a point to the curve, and the search steps down
/// to the new crossing. After a confirmation that meets the target by a wide margin, the search tries a higher rate. A miss in a disturbed measurement is
/// repeated once. This class only computes. It measures nothing and has no clock.
/// </summary>
internal sealed class RateSearch
{
    /// <summary>The maximum ratio of two rates that count as close enough. The lower rate meets the target, and the higher rate misses it.</summary>
    public const double Near = 1.04;

    /// <summary>The rate to confirm as a fraction of the rate at the crossing. At the crossing itself, about half of the runs would miss the target.</summary>
    public const double Margin = 0.99;

    /// <summary>The factor of each step up. All steps are equal, because the result is seldom far above the first guess.</summary>
    private const double Up = 1.25;

    /// <summary>
    /// The factor of the first step down. Each further factor is the square of the previous one, up to <see cref="MaxDrop"/>, so that a result far below the
    /// first guess is also found quickly.
    /// </summary>
    private const double Down = 1.5;

    private const double MaxDrop = 4;

    /// <summary>
    /// The maximum number of probes between a rate that meets the target and a rate that misses it. If the two rates are not close after these probes, the
    /// outcome of further probes between them would be random.
    /// </summary>
    private const int MaxNarrowing = 6;

    /// <summary>
    /// The ratio of the two rates above which the search bisects the interval between them. The curve is not straight over a wide interval, so linear
    /// interpolation would stay on one side of the result.
    /// </summary>
    private const double Wide = 1.15;

    /// <summary>
    /// The minimum distance of a probe from either end of the interval, as a fraction of the interval. It ensures that each probe shortens the interval.
    /// </summary>
    private const double MinPart = 0.25;

    /// <summary>
    /// If the percentile at the highest rate within the limit is below this fraction of the limit, a miss at a slightly higher rate is unexpected. Either
    /// latency rises abruptly between the two rates, or the miss was due to chance. The rate that missed is therefore probed again.
    /// </summary>
    private const double CliffExcess = 0.85;

    /// <summary>The lowest rate to try, as a fraction of the first guess. If this rate misses the target, no rate meets it.</summary>
    private const double LowestShare = 1 / 64.0;

    /// <summary>The highest rate to try, as a multiple of the first guess. Above it, the scheduled load apparently does not reach the server.</summary>
    private const double HighestShare = 100;

    /// <summary>The minimum step down after a confirmation that misses the target. It doubles each time, because the previous step was too small.</summary>
    private const double Back = 0.02;

    private const double MoreBack = 2;

    /// <summary>
    /// The ratio to the limit above which a confirmation counts as far above the limit. The step down is then at least <see cref="FarBack"/>.
    /// </summary>
    private const double FarExcess = 2;

    private const double FarBack = 0.05;

    private const double MaxBacktrack = 0.5;

    /// <summary>
    /// The ratio to the limit above which a missed confirmation leads to a larger step down. With steps of this size, the last remaining confirmation is at
    /// <see cref="LastShare"/> of the current rate. Every missed confirmation after the first one also leads to the larger step.
    /// </summary>
    private const double NearExcess = 1.25;

    /// <summary>
    /// The rate of the last possible confirmation as a fraction of the rate of the first one. A result that is too low is better than no result.
    /// </summary>
    private const double LastShare = 0.5;

    /// <summary>
    /// The ratio of the confirmed percentile to the limit below which the confirmed rate was too low. The rate is then raised, a limited number of times and by
    /// a limited factor.
    /// </summary>
    private const double RoomExcess = 0.95;

    private const double MinRaise = 1.02;

    private const int MaxRaised = 3;

    private const double MaxRaise = 1.1;

    /// <summary>The factor for the weight of a run that missed the target and was disturbed in both attempts.</summary>
    private const double DisturbedWeight = 0.25;

    private readonly IReadOnlyList<int> _caps;
    private readonly double _start;
    private readonly RateCurve _curve = new();
    private readonly SortedSet<double> _missed = [];
    private double _down = Down;
    private double _back = Back;
    private int _narrowed;
    private int _failingCap = -1;
    private int _holdingCap;
    private double _leastSeconds;
    private double _confirmations = double.PositiveInfinity;
    private double _firstExcess;
    private bool _shortened;
    private int _raised;
    private readonly HashSet<double> _askedAgain = [];

    /// <summary>Creates a search.</summary>
    /// <param name="startRate">The first guess, in calls per second.</param>
    /// <param name="startCap">The largest concurrency limit. Rates are probed with this limit.</param>
    public RateSearch(double startRate, int startCap)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(startRate);
        ArgumentOutOfRangeException.ThrowIfLessThan(startCap, 1);
        (_start, _caps) = (startRate, CapLadder.UpTo(startCap));
        _holdingCap = _caps.Count - 1;
        Next = Probe(_start);
    }

    /// <summary>Gets the trial to run next, or null when the search is over.</summary>
    public PlannedTrial? Next { get; private set; }

    /// <summary>Gets the result. Null before a confirmation has succeeded, or if no rate meets the target.</summary>
    public RateFinding? Found { get; private set; }

    /// <summary>
    /// Returns the approximate number of remaining rounds. A confirmation run counts as <paramref name="confirmation"/> rounds, and one failed confirmation is
    /// expected.
    /// </summary>
    public double Left(double confirmation)
    {
        double caps = Math.Ceiling(Math.Log2(_caps.Count));
        return Next switch
        {
            null => 0,
            { Kind: RateStepKind.Confirm, Run: 2 } => confirmation,
            { Kind: RateStepKind.Confirm } => confirmation * 3,
            { Kind: RateStepKind.Cap } => Math.Ceiling(Math.Log2(Math.Max(2, _holdingCap - _failingCap))) + (confirmation * 3),
            _ when _curve.Low == 0 || double.IsInfinity(_curve.High) => 6 + caps + (confirmation * 3),
            _ => Math.Max(1, Math.Ceiling(Math.Log2(Math.Log(_curve.High / _curve.Low) / Math.Log(Near)))) + caps + (confirmation * 3),
        };
    }

    /// <summary>
    /// Adds measurements that are already known. They must have been made with the largest concurrency limit. May be called once, before any <see cref="Add"/>.
    /// </summary>
    public void Know(IReadOnlyList<(double RatePerSecond, double Excess, double Weight)> known)
    {
        foreach ((double rate, double excess, double weight) in known)
        {
            Learn(rate, excess, weight);
        }

        Next = known.Count == 0 ? Next : Narrow();
    }

    /// <summary>
    /// Sets the minimum duration of a call at any rate. A concurrency limit below rate × duration cannot sustain the rate, so such limits are not tried.
    /// </summary>
    public void Takes(double leastSeconds) => _leastSeconds = leastSeconds;

    /// <summary>Sets the number of confirmations for which there is time. By default, it is unlimited.</summary>
    public void HasTimeFor(double confirmations) => _confirmations = Math.Max(1, confirmations);

    /// <summary>Ends the search soon, because the time is nearly used up. The best rate so far is confirmed next.</summary>
    public void ShortenSearch()
    {
        _shortened = true;
        if (Next is { Kind: not RateStepKind.Confirm } && _curve.Low > 0)
        {
            Next = Confirm(Candidate);
        }
    }

    /// <summary>Ends the search because the time is used up.</summary>
    public void End() => Next = null;

    /// <summary>Adds the outcome of <see cref="Next"/>.</summary>
    /// <param name="excess">
    /// The ratio of the percentile to the target's limit. A ratio of at most 1 meets the target. Infinite if calls did not complete.
    /// </param>
    /// <param name="disturbed">
    /// Whether something other than client and server may have caused the outcome. If so, the first miss is ignored and the trial is repeated.
    /// </param>
    /// <param name="weight">The weight relative to other measurements, above 0. It is the number of calls above the percentile.</param>
    public void Add(double excess, bool disturbed = false, double weight = 1)
    {
        PlannedTrial asked = Next ?? throw new InvalidOperationException("The search has already ended.");
        bool kept = excess <= 1;
        if (!kept && disturbed && asked.Attempt == 1)
        {
            Next = asked with { Attempt = 2 };
            return;
        }

        double counts = !kept && disturbed ? weight * DisturbedWeight : weight;
        Next = asked.Kind switch
        {
            RateStepKind.Probe => AfterProbe(asked.RatePerSecond, excess, counts),
            RateStepKind.Cap => AfterCap(asked.Cap, kept),
            _ => AfterConfirmation(asked, kept, disturbed ? Math.Min(excess, FarExcess) : excess, counts),
        };
    }

    private PlannedTrial? AfterProbe(double rate, double excess, double weight)
    {
        Learn(rate, excess, weight);
        return Narrow();
    }

    private void Learn(double rate, double excess, double weight)
    {
        if (excess > 1)
        {
            _missed.Add(rate);
        }

        _curve.Add(rate, excess, weight);
    }

    private PlannedTrial? Narrow()
    {
        (double low, double high) = (_curve.Low, _curve.High);
        if (low == 0)
        {
            double lower = high / _down;
            _down = Math.Min(MaxDrop, _down * _down);
            return lower < _start * LowestShare ? null : Probe(lower);
        }

        if (double.IsInfinity(high) && !_shortened)
        {
            // The known rate may be far below the first guess, because it comes from the search for another target. This is no evidence against the first
            // guess, so at least the first guess is probed next.
            return low * Up > _start * HighestShare ? BeginCaps() : Probe(Math.Max(low * Up, _start));
        }

        if (_shortened || high / low <= Math.Max(Near, Math.Exp(_curve.Noise / 2)) || _narrowed == MaxNarrowing)
        {
            return !_shortened && _curve.LowExcess < CliffExcess && _askedAgain.Add(high) ? Probe(high) : BeginCaps();
        }

        _narrowed++;
        double margin = Math.Pow(high / low, MinPart);
        return Probe(high / low > Wide ? Math.Sqrt(low * high) : Math.Clamp(_curve.Crossing!.Value, low * margin, high / margin));
    }

    /// <summary>
    /// Gets the rate to confirm, according to the measurements so far. It is the lower of two rates: a rate slightly below the crossing, and the rate at which
    /// the curve is below the limit by half the noise of the measurements. The second rate matters if the curve is flat, because about half of the runs near
    /// the crossing would then miss the target.
    /// </summary>
    private double Candidate => _curve.Crossing is { } crossing ? Math.Min(crossing * Margin, _curve.Safe) : _curve.Low;

    private PlannedTrial BeginCaps()
    {
        _failingCap = Math.Min(_holdingCap, _caps.Count(cap => cap < Candidate * _leastSeconds)) - 1;
        return _shortened ? Confirm(Candidate) : NextCap(Candidate);
    }

    private PlannedTrial NextCap(double rate) =>
        _holdingCap - _failingCap <= 1 ? Confirm(rate) : new(RateStepKind.Cap, rate, _caps[(_holdingCap + _failingCap) / 2]);

    private PlannedTrial AfterCap(int cap, bool kept)
    {
        int index = IndexOf(cap);
        (_failingCap, _holdingCap) = kept ? (_failingCap, index) : (index, _holdingCap);
        return NextCap(Candidate);
    }

    private PlannedTrial Confirm(double rate) => new(RateStepKind.Confirm, rate, _caps[_holdingCap]);

    private PlannedTrial? AfterConfirmation(PlannedTrial asked, bool kept, double excess, double weight)
    {
        Learn(asked.RatePerSecond, excess, weight);
        if (!kept)
        {
            return Found is null ? StepBack(asked.RatePerSecond, excess) : Over(Found) ?? Raise(Found.RatePerSecond, asked.RatePerSecond * (1 - Back));
        }

        if (asked.Run == 1)
        {
            _firstExcess = excess;
            return asked with { Attempt = 1, Run = 2 };
        }

        Over(new(asked.RatePerSecond, asked.Cap, null));
        return (excess + _firstExcess) / 2 > RoomExcess ? null : Raise(asked.RatePerSecond, asked.RatePerSecond * MaxRaise);
    }

    /// <summary>
    /// Stores the result and returns null, which ends the search. A caller can ignore the null and return a further trial to continue the search.
    /// </summary>
    private PlannedTrial? Over(RateFinding found)
    {
        SortedSet<double> above = _missed.GetViewBetween(Math.BitIncrement(found.RatePerSecond), double.MaxValue);
        Found = found with { BreaksAt = above.Count > 0 ? above.Min : null };
        return null;
    }

    /// <summary>
    /// Returns a confirmation at a higher rate if the curve crosses the limit above the confirmed rate and there is time. Otherwise returns null.
    /// </summary>
    private PlannedTrial? Raise(double rate, double most)
    {
        double higher = Math.Min(Candidate, most);
        return _shortened || higher < rate * MinRaise || _raised++ == MaxRaised ? null : Confirm(higher);
    }

    /// <summary>
    /// Returns a confirmation at the new crossing of the curve, but at least a minimum step below <paramref name="rate"/>. The confirmation has the next larger
    /// concurrency limit, because the current limit may have been too small. Returns null if the rate would be too low.
    /// </summary>
    private PlannedTrial? StepBack(double rate, double excess)
    {
        double least = excess > FarExcess ? Math.Max(_back, FarBack) : _back;
        if (excess > NearExcess || _back > Back)
        {
            least = Math.Max(least, 1 - Math.Pow(LastShare, 1 / _confirmations));
        }

        least = Math.Min(MaxBacktrack, least);
        _back *= MoreBack;
        _holdingCap = Math.Min(_caps.Count - 1, _holdingCap + 1);
        double lower = Math.Min(Candidate > 0 ? Candidate : rate, rate * (1 - least));
        return lower < _start * LowestShare ? null : Confirm(lower);
    }

    private PlannedTrial Probe(double rate) => new(RateStepKind.Probe, rate, _caps[^1]);

    private int IndexOf(int cap) => Enumerable.Range(0, _caps.Count).First(index => _caps[index] == cap);
}
