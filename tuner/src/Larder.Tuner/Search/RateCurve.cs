namespace Larder.Tuner.Search;

/// <summary>
/// Estimates the ratio of a percentile to its limit as a function of the scheduled rate. The estimate is a monotonically increasing curve through all
/// measurements with the largest concurrency limit. It is fitted to the logarithms by isotonic regression (pool adjacent violators). The weight of a
/// measurement is its number of calls above the percentile. All measurements are used, because near the limit, the result of a single short run is above or
/// below it by chance. This class only computes.
/// </summary>
internal sealed class RateCurve
{
    /// <summary>
    /// The logarithm of the largest ratio that counts. A larger ratio counts as 2. Above the limit, a queue grows until the end of the run, so a large ratio
    /// depends more on the length of the run than on the rate.
    /// </summary>
    private static readonly double s_most = Math.Log(2);

    private readonly SortedDictionary<double, Mean> _measured = [];
    private readonly List<Pool> _pools = [];

    /// <summary>Gets the highest rate at which the curve is within the limit, or 0 if there is no such rate.</summary>
    public double Low => _pools.FindLast(pool => pool.Log <= 0).Last;

    /// <summary>Gets the lowest rate at which the curve exceeds the limit, or infinity if there is no such rate.</summary>
    public double High => _pools.Find(pool => pool.Log > 0) is { Weight: > 0 } pool ? pool.First : double.PositiveInfinity;

    /// <summary>Gets the value of the curve at <see cref="Low"/>, or 1 if no rate is within the limit.</summary>
    public double LowExcess => Math.Exp(_pools.FindLast(pool => pool.Log <= 0) is { Weight: > 0 } pool ? pool.Log : 0);

    /// <summary>Gets the rate at which the curve crosses the limit, interpolated linearly in logarithms. Null if the curve does not cross the limit.</summary>
    public double? Crossing => At(0);

    /// <summary>
    /// Gets the standard deviation of the measurements from the curve, in logarithms. For example, 0.1 is 10 % of the percentile. 0 if all measurements are on
    /// the curve.
    /// </summary>
    public double Noise { get; private set; }

    /// <summary>Adds a measurement: the ratio of the percentile to the limit, and a weight above 0. The ratio is infinite if calls did not complete.</summary>
    public void Add(double rate, double excess, double weight)
    {
        double log = Math.Clamp(Math.Log(excess), -s_most, s_most);
        Mean mean = _measured.GetValueOrDefault(rate);
        _measured[rate] = new(mean.Sum + (log * weight), mean.Squares + (log * log * weight), mean.Weight + weight, mean.Count + 1);
        Fit();
    }

    /// <summary>Removes all measurements at a rate.</summary>
    public void Remove(double rate)
    {
        _measured.Remove(rate);
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

    /// <summary>Computes the noise. Only pooled measurements contribute to it, because a single measurement is always on the curve.</summary>
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

    /// <summary>
    /// The measurements of one rate: the weighted sum of their logarithms, the weighted sum of the squares of their logarithms, their total weight, and their
    /// number.
    /// </summary>
    private readonly record struct Mean(double Sum, double Squares, double Weight, int Count);

    /// <summary>
    /// Adjacent rates that have the same value on the curve. Contains the lowest rate, the highest rate, the weighted sum of the logarithms of the rates, the
    /// weighted sum of the logarithms of the ratios, and the total weight.
    /// </summary>
    private readonly record struct Pool(double First, double Last, double RateSum, double LogSum, double Weight)
    {
        public double Rate => RateSum / Weight;

        public double Log => LogSum / Weight;
    }
}
