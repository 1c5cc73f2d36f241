namespace Larder.Tuner.Search;

/// <summary>
/// A percentile over its limit, by scheduled rate: every measurement with the largest cap, and the curve through them that only rises (isotonic regression,
/// pooling adjacent violators, of logarithms, each measurement weighing as much as its tail has calls). So no single run decides: near the limit, a short one
/// is above or below by chance. Pure.
/// </summary>
internal sealed class RateCurve
{
    /// <summary>A run that misses by more than twice counts as twice: how far a queue grew says how long the run was.</summary>
    private static readonly double s_most = Math.Log(2);

    private readonly SortedDictionary<double, Mean> _measured = [];
    private readonly List<Pool> _pools = [];

    /// <summary>The highest rate that the curve has within the limit; 0 where there is none.</summary>
    public double Low => _pools.FindLast(pool => pool.Log <= 0).Last;

    /// <summary>The lowest rate that the curve has above the limit; infinite where there is none.</summary>
    public double High => _pools.Find(pool => pool.Log > 0) is { Weight: > 0 } pool ? pool.First : double.PositiveInfinity;

    /// <summary>The curve's percentile over the limit at <see cref="Low"/>; 1 where there is none.</summary>
    public double LowExcess => Math.Exp(_pools.FindLast(pool => pool.Log <= 0) is { Weight: > 0 } pool ? pool.Log : 0);

    /// <summary>Where the curve crosses the limit, straight between its nearest points, in logarithms; null where it does not.</summary>
    public double? Crossing => At(0);

    /// <summary>
    /// How far measurements lie from the curve, a standard deviation of logarithms: 0.1 is a tenth of the percentile. 0 while none lies beside it.
    /// </summary>
    public double Noise { get; private set; }

    /// <summary>The highest rate that the curve has below the limit by half of how far measurements scatter.</summary>
    public double Safe => At(-Noise / 2) ?? (_pools.Count > 0 ? Math.Min(_pools[0].First, Low) : 0);

    /// <summary>Adds a measurement: percentile over limit, infinite where calls did not end, and its weight, above 0.</summary>
    public void Add(double rate, double excess, double weight)
    {
        double log = Math.Clamp(Math.Log(excess), -s_most, s_most);
        Mean mean = _measured.GetValueOrDefault(rate);
        _measured[rate] = new(mean.Sum + (log * weight), mean.Squares + (log * log * weight), mean.Weight + weight, mean.Count + 1);
        Fit();
    }

    private void Fit()
    {
        _pools.Clear();
        foreach ((double rate, (double sum, _, double weight, _)) in _measured)
        {
            var pool = new Pool(rate, rate, Math.Log(rate) * weight, sum, weight);
            while (_pools is [.., { } before] && before.Log >= pool.Log)
            {
                _pools.RemoveAt(_pools.Count - 1);
                pool = new(before.First, pool.Last, before.RateSum + pool.RateSum, before.LogSum + pool.LogSum, before.Weight + pool.Weight);
            }

            _pools.Add(pool);
        }

        Noise = Scatter();
    }

    private double? At(double level)
    {
        int above = _pools.FindIndex(pool => pool.Log > level);
        if (above <= 0)
        {
            return null;
        }

        (Pool low, Pool high) = (_pools[above - 1], _pools[above]);
        return Math.Exp(low.Rate + ((high.Rate - low.Rate) * (level - low.Log) / (high.Log - low.Log)));
    }

    /// <summary>Of the measurements that were drawn together: one alone lies on the curve whatever it is.</summary>
    private double Scatter()
    {
        (double squares, double weights, int free) = (0, 0, -_pools.Count);
        foreach ((double rate, Mean mean) in _measured)
        {
            Pool pool = _pools.Find(each => each.First <= rate && rate <= each.Last);
            squares += mean.Squares - (2 * pool.Log * mean.Sum) + (pool.Log * pool.Log * mean.Weight);
            weights += mean.Weight;
            free += mean.Count;
        }

        return free > 0 ? Math.Sqrt(Math.Max(0, squares) / weights * (free + _pools.Count) / free) : 0;
    }

    /// <summary>The measurements of one rate: weighted sums of their logarithms and those squared, their weight, and how many they are.</summary>
    private readonly record struct Mean(double Sum, double Squares, double Weight, int Count);

    /// <summary>Neighbouring rates that the curve has alike: the lowest and the highest, and weighted sums of their logarithms and their excess'.</summary>
    private readonly record struct Pool(double First, double Last, double RateSum, double LogSum, double Weight)
    {
        public double Rate => RateSum / Weight;

        public double Log => LogSum / Weight;
    }
}
