using Larder.Report.Runs;

namespace Larder.Tuner.Search;

/// <summary>
/// Chooses the scheduled rate to try next. The search finds the highest rate that meets a target, with the smallest concurrency limit that sustains it. It is
/// an anytime search: <see cref="Found"/> is the highest rate confirmed so far, whenever the search ends.
/// <list type="number">
/// <item>It confirms a safe rate: half of the first guess, then half of that, until a rate meets the target.</item>
/// <item>It raises the rate with single runs until one misses the target, then bisects the interval.</item>
/// <item>It confirms a rate slightly below the one at which the curve through all measurements (<see cref="RateCurve"/>) crosses the limit.</item>
/// <item>It bisects the concurrency limits at the confirmed rate, and confirms the smallest one.</item>
/// </list>
/// A confirmation consists of two consecutive runs that meet the target. A disturbed run that did not meet the target is not judged: it is repeated once, and
/// it never enters the curve. This class only computes. It measures nothing and has no clock.
/// </summary>
internal sealed class RateSearch
{
    /// <summary>
    /// The ratio of a rate that misses the target to a rate that meets it, at or below which the search stops bisecting. Between closer rates, the outcome of
    /// single runs would be random.
    /// </summary>
    public const double Near = 1.1;

    /// <summary>The maximum number of attempts at a trial. If none of them can be judged, the search continues with another trial.</summary>
    public const int Attempts = 2;

    /// <summary>The number of runs that confirm a rate.</summary>
    public const int RunsOfConfirmation = 2;

    /// <summary>The first rate to confirm as a fraction of the first guess, and the factor of each step down until a rate is confirmed.</summary>
    private const double Safe = 0.5;

    /// <summary>The factor of each step up.</summary>
    private const double Up = 1.4;

    /// <summary>The highest rate to try as a multiple of the first guess. Above it, the scheduled load apparently does not reach the server.</summary>
    private const double Highest = 64;

    /// <summary>The first guess divided by the lowest rate to try. Below it, the number of calls hardly changes their latency.</summary>
    private const double Lowest = 1_024;

    /// <summary>
    /// The first confirmation after the safe rate is this fraction below the crossing. At the crossing itself, about half of the runs would miss the
    /// target. The fraction doubles with each confirmation that misses, and halves with each one that meets the target.
    /// </summary>
    private const double FirstStep = 0.02;

    /// <summary>The minimum ratio of two confirmed rates. A smaller difference is not worth the time.</summary>
    private const double MinRaise = 1.015;

    /// <summary>
    /// If the percentile at the highest rate within the limit is below this fraction of the limit, a miss at a slightly higher rate is unexpected. Either
    /// latency rises abruptly between the two rates, or the miss was due to chance. The rate that missed is therefore probed again.
    /// </summary>
    private const double CliffExcess = 0.85;

    /// <summary>The maximum number of probes between a rate that meets the target and a rate that misses it.</summary>
    private const int MaxNarrowing = 5;

    /// <summary>
    /// The maximum number of times that rates which could not be judged are tried again after a confirmation. A cause that remains, such as a load generator
    /// that is always late at these rates, would otherwise use up the time.
    /// </summary>
    private const int MaxRetries = 2;

    private readonly IReadOnlyList<int> _caps;
    private readonly double _start;
    private readonly RateCurve _curve = new();
    private readonly HashSet<double> _probedAgain = [];
    private readonly HashSet<double> _missedConfirmations = [];
    private double _safe;
    private double _unjudgedSafe;
    private double _unjudged = double.PositiveInfinity;
    private double _step = FirstStep;
    private int _retries;
    private int _narrowed;
    private int _failingCap = -1;
    private int _holdingCap;
    private double _leastSeconds;
    private double _runsLeft = double.PositiveInfinity;

    /// <summary>Creates a search.</summary>
    /// <param name="startRate">The first guess, in calls per second: about the highest rate that the client and the server sustain.</param>
    /// <param name="startCap">The largest concurrency limit. Rates are tried with this limit.</param>
    public RateSearch(double startRate, int startCap)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(startRate);
        ArgumentOutOfRangeException.ThrowIfLessThan(startCap, 1);
        (_start, _caps, _safe) = (startRate, CapLadder.UpTo(startCap), startRate * Safe);
        _holdingCap = _caps.Count - 1;
        Next = Decide();
    }

    /// <summary>Gets the trial to run next, or null when the search is over.</summary>
    public PlannedTrial? Next { get; private set; }

    /// <summary>Gets the highest rate that was confirmed so far, or null if no rate was confirmed.</summary>
    public RateFinding? Found { get; private set; }

    /// <summary>Gets whether there was no time for the whole search, so that a higher rate may meet the target too.</summary>
    public bool IsCutShort { get; private set; }

    /// <summary>Returns the approximate number of remaining probes. A confirmation run counts as <paramref name="confirmation"/> probes.</summary>
    public double Left(double confirmation)
    {
        double pair = RunsOfConfirmation * confirmation;
        double caps = Math.Ceiling(Math.Log2(Math.Max(2, _holdingCap - _failingCap))) + pair;
        double narrowing = _curve.Low > 0 && High < double.PositiveInfinity
            ? Math.Max(1, Math.Ceiling(Math.Log2(Math.Log(High / _curve.Low) / Math.Log(Near))))
            : MaxNarrowing;
        return Next switch
        {
            null => 0,
            _ when Found is null => RunsOfConfirmation + narrowing + (2 * pair) + caps,
            { Kind: RateStepKind.Probe } => narrowing + (2 * pair) + caps,
            { Kind: RateStepKind.Confirm } when Next.RatePerSecond > Found.RatePerSecond => (1.5 * pair) + caps,
            _ => caps,
        };
    }

    /// <summary>
    /// Adds measurements that are already known. They must have been made with the largest concurrency limit. May be called once, before any <see cref="Add"/>.
    /// </summary>
    /// <param name="known">The rates with the ratio of the percentile to the limit, and its weight.</param>
    /// <param name="confirmed">A rate that two runs have confirmed, or null.</param>
    public void Know(IReadOnlyList<(double RatePerSecond, double Excess, double Weight)> known, RateFinding? confirmed = null)
    {
        foreach ((double rate, double excess, double weight) in known)
        {
            Learn(rate, excess, weight);
        }

        // A rate that missed the target is not tried first, and neither is a higher rate.
        while (_safe >= _curve.High)
        {
            _safe *= Safe;
        }

        Found = confirmed;
        Next = Decide();
    }

    /// <summary>
    /// Sets the minimum duration of a call at any rate. A concurrency limit below rate × duration cannot sustain the rate, so such limits are not tried.
    /// </summary>
    public void Takes(double leastSeconds) => _leastSeconds = leastSeconds;

    /// <summary>
    /// Sets the number of confirmation runs for which there is time after <see cref="Next"/>. By default, it is unlimited. If the time is short, the search
    /// confirms the best rate so far instead of probing further.
    /// </summary>
    public void HasTimeFor(double runs) => _runsLeft = runs;

    /// <summary>Ends the search because the time is used up.</summary>
    public void End()
    {
        IsCutShort |= Next is { Kind: not RateStepKind.Cap } next && next.RatePerSecond != Found?.RatePerSecond;
        Next = null;
    }

    /// <summary>Adds the outcome of <see cref="Next"/>.</summary>
    /// <param name="excess">
    /// The ratio of the percentile to the target's limit. A ratio of at most 1 meets the target. Infinite if calls did not complete.
    /// </param>
    /// <param name="disturbed">Whether something other than client and server may have caused the outcome. A miss is then not judged.</param>
    /// <param name="weight">The weight relative to other measurements, above 0. It is the number of calls above the percentile.</param>
    public void Add(double excess, bool disturbed = false, double weight = 1)
    {
        PlannedTrial asked = Next ?? throw new InvalidOperationException("The search has already ended.");
        bool isMet = excess <= 1;
        if (disturbed && !isMet)
        {
            Next = asked.Attempt < Attempts ? asked with { Attempt = asked.Attempt + 1 } : AfterUnjudged(asked);
            return;
        }

        if (asked.Cap == _caps[^1])
        {
            Learn(asked.RatePerSecond, excess, weight);
        }

        Next = asked.Kind switch
        {
            RateStepKind.Probe => Decide(),
            RateStepKind.Cap => AfterCap(asked, isMet),
            _ when !isMet => AfterMissedConfirmation(asked),
            _ when asked.Run < RunsOfConfirmation => asked with { Attempt = 1, Run = asked.Run + 1 },
            _ => AfterConfirmation(asked),
        };
    }

    /// <summary>Gets the lowest rate that missed the target or could not be judged.</summary>
    private double High => Math.Min(_curve.High, _unjudged);

    private PlannedTrial? Decide()
    {
        if (Found is null)
        {
            if (_safe * Lowest < _start && _unjudgedSafe > 0 && _runsLeft is > 0 and < double.PositiveInfinity)
            {
                // Some rates could not be judged, and there is time to try the lowest of them again.
                (_safe, _unjudgedSafe) = (_unjudgedSafe, 0);
            }

            return _safe * Lowest < _start ? null : new(RateStepKind.Confirm, _safe, _caps[^1]);
        }

        if (_runsLeft < RunsOfConfirmation)
        {
            IsCutShort = true;
            return null;
        }

        double low = Math.Max(Found.RatePerSecond, Math.Min(_curve.Low, High));
        if (ToProbe(low) is { } rate)
        {
            if (_runsLeft >= 2 * RunsOfConfirmation)
            {
                return new(RateStepKind.Probe, rate, _caps[^1]);
            }

            IsCutShort = true;
        }

        double higher = Crossing(low) * (1 - _step);
        return higher >= Found.RatePerSecond * MinRaise ? new(RateStepKind.Confirm, higher, _caps[^1]) : BeginCaps(Found);
    }

    /// <summary>Returns the rate to probe next, or null if a rate that meets the target and a rate that misses it are close.</summary>
    private double? ToProbe(double low)
    {
        if (double.IsInfinity(High))
        {
            // The known rate may be far below the first guess, because the machine was disturbed or because it comes from the search for another target.
            double higher = Math.Max(low * Up, _start * Safe);
            return higher > _start * Highest ? null : higher;
        }

        if (High / low <= Math.Max(Near, Math.Exp(_curve.Noise / 2)) || _narrowed == MaxNarrowing)
        {
            return _curve.High <= _unjudged && _curve.LowExcess < CliffExcess && !_missedConfirmations.Contains(_curve.High) && _probedAgain.Add(_curve.High)
                ? _curve.High
                : null;
        }

        _narrowed++;
        return Math.Sqrt(low * High);
    }

    /// <summary>
    /// Returns the highest rate that meets the target according to the measurements so far. If no rate missed the target, it is the highest rate that met it.
    /// </summary>
    private double Crossing(double low) => _curve.Crossing is { } crossing && _curve.High <= _unjudged ? crossing : low;

    private void Learn(double rate, double excess, double weight)
    {
        if (excess <= 1 && _probedAgain.Contains(rate))
        {
            // Disturbances only add latency, so the earlier miss at this rate was due to chance.
            _curve.Remove(rate);
        }

        _curve.Add(rate, excess, weight);
    }

    private PlannedTrial? AfterUnjudged(PlannedTrial asked)
    {
        if (asked.Kind == RateStepKind.Cap)
        {
            return AfterCap(asked, isMet: false);
        }

        if (Found is null)
        {
            _unjudgedSafe = _unjudgedSafe > 0 ? Math.Min(_unjudgedSafe, asked.RatePerSecond) : asked.RatePerSecond;
        }

        if (asked.Kind == RateStepKind.Confirm)
        {
            double between = Math.Sqrt((Found?.RatePerSecond ?? asked.RatePerSecond) * asked.RatePerSecond);
            return between >= Found?.RatePerSecond * MinRaise ? asked with { RatePerSecond = between, Attempt = 1, Run = 1 } : AfterMissedConfirmation(asked);
        }

        _unjudged = Math.Min(_unjudged, asked.RatePerSecond);
        return Decide();
    }

    private PlannedTrial? AfterMissedConfirmation(PlannedTrial asked)
    {
        if (Found is null)
        {
            _safe *= Safe;
        }
        else if (asked.RatePerSecond <= Found.RatePerSecond)
        {
            // The trial was to confirm a smaller concurrency limit. The next larger limit is tried, unless it is already confirmed.
            _failingCap = IndexOf(asked.Cap);
            _holdingCap = _failingCap + 1;
            return NextCap(Found);
        }
        else
        {
            _missedConfirmations.Add(asked.RatePerSecond);
            _step *= 2;
        }

        return Decide();
    }

    private PlannedTrial? AfterConfirmation(PlannedTrial asked)
    {
        (RateFinding? before, Found) = (Found, new(asked.RatePerSecond, asked.Cap));
        if (asked.RatePerSecond == before?.RatePerSecond)
        {
            return NextCap(Found);
        }

        _step = before is null ? FirstStep : _step / 2;
        if (double.IsFinite(_unjudged) && _retries++ < MaxRetries)
        {
            // The disturbance may have ended, so rates that could not be judged are tried again.
            (_unjudged, _narrowed) = (double.PositiveInfinity, 0);
        }

        return Decide();
    }

    private PlannedTrial? BeginCaps(RateFinding found)
    {
        if (found.Cap < _caps[^1])
        {
            // The search for another target has confirmed this limit.
            return null;
        }

        _failingCap = Math.Min(_holdingCap, _caps.Count(cap => cap < found.RatePerSecond * _leastSeconds)) - 1;
        return NextCap(found);
    }

    private PlannedTrial? NextCap(RateFinding found) =>
        _holdingCap - _failingCap > 1 ? new(RateStepKind.Cap, found.RatePerSecond, _caps[(_holdingCap + _failingCap) / 2])
        : _caps[_holdingCap] < found.Cap ? new(RateStepKind.Confirm, found.RatePerSecond, _caps[_holdingCap])
        : null;

    private PlannedTrial? AfterCap(PlannedTrial asked, bool isMet)
    {
        int index = IndexOf(asked.Cap);
        (_failingCap, _holdingCap) = isMet ? (_failingCap, index) : (index, _holdingCap);
        return NextCap(Found!);
    }

    private int IndexOf(int cap) => Enumerable.Range(0, _caps.Count).First(index => _caps[index] == cap);
}
