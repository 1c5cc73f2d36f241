using Larder.Report.Runs;

namespace Larder.Tuner.Search;

/// <summary>
/// Decides which scheduled rate to try next: finds the highest one that keeps a target, with the smallest cap that carries it. From a first guess it goes up or
/// down until one rate keeps the target and a higher one does not, then asks where the curve through all that was measured (<see cref="RateCurve"/>) crosses
/// the limit, until the two are near; then halves the ladder of caps a little below the crossing, and wants both confirmed by two longer runs in a row. A
/// confirmation that misses is one more point of the curve, and steps down to where it crosses then; one that holds with room to spare is tried a little
/// higher. What a disturbed measurement refutes is asked once more. Pure: it measures nothing and knows no clock.
/// </summary>
internal sealed class RateSearch
{
    /// <summary>Ratio of a rate that breaks to one that holds at which they are near enough.</summary>
    public const double Near = 1.04;

    /// <summary>What is confirmed, of the rate at which the curve crosses: there itself every other run misses.</summary>
    public const double Margin = 0.99;

    /// <summary>First step up; the next are alike, since what is looked for is seldom far above the first guess.</summary>
    private const double Up = 1.25;

    /// <summary>First step down; each further one is the square of the one before, to <see cref="MostDown"/>: far below is found quickly, too.</summary>
    private const double Down = 1.5;

    private const double MostDown = 4;

    /// <summary>Probes between a rate that holds and one that breaks: where they do not come near each other, chance decides there.</summary>
    private const int MostNarrowing = 6;

    /// <summary>
    /// Further apart than this, the middle is asked: the curve bends, and where a straight line crosses it stays on one side of what is looked for.
    /// </summary>
    private const double Wide = 1.15;

    /// <summary>A probe lies at least this part of the way from either end, so that each of them makes it shorter.</summary>
    private const double LeastPart = 0.25;

    /// <summary>
    /// Kept with so much room just below a rate that misses, a target is either at a cliff or the miss was an accident: that rate is asked again.
    /// </summary>
    private const double CliffExcess = 0.85;

    /// <summary>How far down it goes before it says that no rate will do.</summary>
    private const double LowestShare = 1 / 64.0;

    /// <summary>A guess that is a hundred times too low is no guess: the schedule does not reach the server.</summary>
    private const double HighestShare = 100;

    /// <summary>A confirmation that misses steps down by this at least; each further one by twice as much, since the steps before were too small.</summary>
    private const double Back = 0.02;

    private const double MoreBack = 2;

    /// <summary>One that misses by more than twice was not near.</summary>
    private const double FarExcess = 2;

    private const double FarBack = 0.05;

    private const double MostBack = 0.5;

    /// <summary>
    /// One that misses by more than this, and each after the first, steps down so far that those there is time for reach <see cref="LastShare"/>.
    /// </summary>
    private const double NearExcess = 1.25;

    /// <summary>How low the last confirmation lies, of the rate of the first: an answer that is low is worth more than none.</summary>
    private const double LastShare = 0.5;

    /// <summary>Confirmed with so much room, a rate was too low; it is tried higher at most so often, by at most so much.</summary>
    private const double RoomExcess = 0.95;

    private const double LeastRaise = 1.02;

    private const int MostRaised = 3;

    private const double MostRaise = 1.1;

    /// <summary>What a run counts that may have been disturbed both times it was asked.</summary>
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
    private bool _hurried;
    private int _raised;
    private readonly HashSet<double> _askedAgain = [];

    /// <summary>A search.</summary>
    /// <param name="startRate">The first guess, calls a second.</param>
    /// <param name="startCap">The largest cap: what rates are probed with.</param>
    public RateSearch(double startRate, int startCap)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(startRate);
        ArgumentOutOfRangeException.ThrowIfLessThan(startCap, 1);
        (_start, _caps) = (startRate, CapLadder.UpTo(startCap));
        _holdingCap = _caps.Count - 1;
        Next = Probe(_start);
    }

    /// <summary>What to measure now; null when the search is over.</summary>
    public PlannedTrial? Next { get; private set; }

    /// <summary>What was found; null before a confirmation held, and where no rate keeps the target.</summary>
    public RateFinding? Found { get; private set; }

    /// <summary>
    /// Rounds still to come, about, a run of a confirmation counting as <paramref name="confirmation"/> of them; one that misses is expected.
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

    /// <summary>Takes what is known of rates with the largest cap from elsewhere; once, before anything was added.</summary>
    public void Know(IReadOnlyList<(double RatePerSecond, double Excess, double Weight)> known)
    {
        foreach ((double rate, double excess, double weight) in known)
        {
            Learn(rate, excess, weight);
        }

        Next = known.Count == 0 ? Next : Narrow();
    }

    /// <summary>
    /// Says that a call is in flight for at least so long whatever the rate, so that fewer at a time than rate × time carry none: caps below that are
    /// not tried.
    /// </summary>
    public void Takes(double leastSeconds) => _leastSeconds = leastSeconds;

    /// <summary>Says for how many confirmations there is time yet. Without it: for any number.</summary>
    public void HasTimeFor(double confirmations) => _confirmations = Math.Max(1, confirmations);

    /// <summary>The time is nearly up: what holds so far is confirmed as it is.</summary>
    public void Hurry()
    {
        _hurried = true;
        if (Next is { Kind: not RateStepKind.Confirm } && _curve.Low > 0)
        {
            Next = Confirm(Candidate);
        }
    }

    /// <summary>The time is up: nothing more is asked.</summary>
    public void End() => Next = null;

    /// <summary>Adds the outcome of <see cref="Next"/>.</summary>
    /// <param name="excess">The percentile over the target's limit: up to 1 the target was kept; infinite where calls did not end.</param>
    /// <param name="disturbed">Whether something beside client and server may have made it: then a miss does not count the first time.</param>
    /// <param name="weight">What it counts beside others, above 0: how many calls the percentile leaves above it.</param>
    public void Add(double excess, bool disturbed = false, double weight = 1)
    {
        PlannedTrial asked = Next ?? throw new InvalidOperationException("the search is over");
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
            _down = Math.Min(MostDown, _down * _down);
            return lower < _start * LowestShare ? null : Probe(lower);
        }

        if (double.IsInfinity(high) && !_hurried)
        {
            // What another target held far below the first guess says nothing against that guess.
            return low * Up > _start * HighestShare ? BeginCaps() : Probe(Math.Max(low * Up, _start));
        }

        if (_hurried || high / low <= Math.Max(Near, Math.Exp(_curve.Noise / 2)) || _narrowed == MostNarrowing)
        {
            return !_hurried && _curve.LowExcess < CliffExcess && _askedAgain.Add(high) ? Probe(high) : BeginCaps();
        }

        _narrowed++;
        double margin = Math.Pow(high / low, LeastPart);
        return Probe(high / low > Wide ? Math.Sqrt(low * high) : Math.Clamp(_curve.Crossing!.Value, low * margin, high / margin));
    }

    /// <summary>
    /// What is to be confirmed, as far as it is known by now: just below where the curve crosses the limit, or half as far below it as measurements scatter. A
    /// curve that is steep there has the two side by side; where it is flat, every other run near the crossing would miss.
    /// </summary>
    private double Candidate => _curve.Crossing is { } crossing ? Math.Min(crossing * Margin, _curve.Safe) : _curve.Low;

    private PlannedTrial BeginCaps()
    {
        _failingCap = Math.Min(_holdingCap, _caps.Count(cap => cap < Candidate * _leastSeconds)) - 1;
        return _hurried ? Confirm(Candidate) : NextCap(Candidate);
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
        return (excess + _firstExcess) / 2 > RoomExcess ? null : Raise(asked.RatePerSecond, asked.RatePerSecond * MostRaise);
    }

    /// <summary>Found, unless something better comes.</summary>
    private PlannedTrial? Over(RateFinding found)
    {
        SortedSet<double> above = _missed.GetViewBetween(Math.BitIncrement(found.RatePerSecond), double.MaxValue);
        Found = found with { BreaksAt = above.Count > 0 ? above.Min : null };
        return null;
    }

    /// <summary>A rate higher than the one that was confirmed, where the curve crosses above it and there is time; null otherwise.</summary>
    private PlannedTrial? Raise(double rate, double most)
    {
        double higher = Math.Min(Candidate, most);
        return _hurried || higher < rate * LeastRaise || _raised++ == MostRaised ? null : Confirm(higher);
    }

    /// <summary>Down to where the curve crosses with what has just been learned, by a least step, and the cap a rung up: it may have been too small.</summary>
    private PlannedTrial? StepBack(double rate, double excess)
    {
        double least = excess > FarExcess ? Math.Max(_back, FarBack) : _back;
        if (excess > NearExcess || _back > Back)
        {
            least = Math.Max(least, 1 - Math.Pow(LastShare, 1 / _confirmations));
        }

        least = Math.Min(MostBack, least);
        _back *= MoreBack;
        _holdingCap = Math.Min(_caps.Count - 1, _holdingCap + 1);
        double lower = Math.Min(Candidate > 0 ? Candidate : rate, rate * (1 - least));
        return lower < _start * LowestShare ? null : Confirm(lower);
    }

    private PlannedTrial Probe(double rate) => new(RateStepKind.Probe, rate, _caps[^1]);

    private int IndexOf(int cap) => Enumerable.Range(0, _caps.Count).First(index => _caps[index] == cap);
}
