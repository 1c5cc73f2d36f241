using Larder.Tuner.Search;

namespace Larder.Tuner.Tests.Search;

public sealed class RateCurveTests
{
    [Fact]
    public void Empty_curve_has_no_bounds_and_no_crossing()
    {
        var curve = new RateCurve();
        Assert.Equal((0, double.PositiveInfinity), (curve.Low, curve.High));
        Assert.Null(curve.Crossing);
    }

    [Fact]
    public void Crossing_is_interpolated_between_rates_that_meet_and_miss_target()
    {
        RateCurve curve = Of((100, 0.8, 1), (121, 1.25, 1));
        Assert.Equal((100, 121), (curve.Low, curve.High));
        Assert.Equal(110, curve.Crossing!.Value, 6);
        Assert.Null(Of((100, 0.8, 1)).Crossing);
        Assert.Null(Of((100, 1.2, 1)).Crossing);
    }

    [Fact]
    public void Contradicting_neighbors_are_averaged_by_weight()
    {
        // The rate 105 misses the limit and the higher rate 110 meets the limit, so one of the two results is due to chance. Their average meets the limit,
        // unless the miss has more weight.
        Assert.Equal((110, 120), BoundsOf(Of((100, 0.7, 1), (105, 1.1, 1), (110, 0.8, 1), (120, 1.5, 1))));
        Assert.Equal((100, 105), BoundsOf(Of((100, 0.7, 1), (105, 1.1, 4), (110, 0.8, 1), (120, 1.5, 1))));
    }

    [Fact]
    public void Short_run_that_misses_target_is_outweighed_by_longer_runs()
    {
        Assert.Equal((700, 900), BoundsOf(Of((40, double.PositiveInfinity, 0.3), (700, 0.9, 3), (900, 2, 3))));
    }

    [Fact]
    public void Repeated_rate_counts_all_its_runs() => Assert.Equal((0, 100), BoundsOf(Of((100, 0.9, 1), (100, 1.2, 2))));

    private static (double, double) BoundsOf(RateCurve curve) => (curve.Low, curve.High);

    private static RateCurve Of(params (double Rate, double Excess, double Weight)[] measured)
    {
        var curve = new RateCurve();
        Array.ForEach(measured, one => curve.Add(one.Rate, one.Excess, one.Weight));
        return curve;
    }
}
