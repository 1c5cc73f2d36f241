using FsCheck;
using FsCheck.Fluent;
using Larder.Report.Drawing;

namespace Larder.Report.Tests.Drawing;

public sealed class ScaleTests
{
    [Fact]
    public void Linear_scale_has_three_to_eight_ticks_covering_maximum() =>
        Check.QuickThrowOnFailure(Prop.ForAll(ArbMap.Default.ArbFor<PositiveInt>(), highest =>
        {
            var scale = new LinearScale(0, highest.Get / 7.0, Show.Short);
            return scale.Ticks[0].Value == 0
                && scale.Ticks[^1].Value >= (highest.Get / 7.0) * (1 - 1e-9)
                && scale.Ticks.Count is >= 3 and <= 8
                && Math.Abs(scale.At(scale.Ticks[^1].Value) - 1) < 1e-9;
        }));

    [Fact]
    public void Logarithmic_scale_covers_its_values() =>
        Check.QuickThrowOnFailure(Prop.ForAll(ArbMap.Default.ArbFor<PositiveInt>(), ArbMap.Default.ArbFor<PositiveInt>(), (a, b) =>
        {
            var scale = new LogScale([a.Get, (double)a.Get * b.Get], Show.ShortUs);
            return scale.At(a.Get) is >= -1e-9 and <= 1
                && scale.At((double)a.Get * b.Get) is >= 0 and <= 1 + 1e-9
                && Math.Abs(scale.At(scale.Ticks[0].Value)) < 1e-9
                && scale.Ticks.Any(tick => tick.Label.Length > 0);
        }));

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(0)]
    public void Scales_accept_NaN_infinity_and_zero(double odd)
    {
        Assert.All(
            new IScale[] { new LinearScale(0, odd, Show.Short), new LogScale([odd], Show.Short), new LogScale([], Show.Short), new NinesScale(0) },
            scale =>
        {
            Assert.InRange(scale.Ticks.Count, 1, 20);
            Assert.True(double.IsFinite(scale.At(1)));
        });
        Assert.Equal(0, new LogScale([1, 10], Show.Short).At(0));
    }

    [Fact]
    public void Tight_scale_ends_at_its_largest_value()
    {
        var scale = new LogScale([1, 89], Show.Short, tight: true);
        Assert.Equal(1, scale.At(89), 9);
        Assert.Equal(["1", "2", "5", "10", "20", "50"], scale.Ticks.Select(tick => tick.Label));
    }

    [Theory]
    [InlineData(320_000, 450_000)]
    [InlineData(347_699, 503_830)]
    [InlineData(287_890, 391_267)]
    [InlineData(510_000, 590_000)]
    [InlineData(100, 102)]
    [InlineData(345_176, 345_176)]
    [InlineData(345_176, 345_177)]
    [InlineData(180_000, 1_700_000)]
    [InlineData(8, 1_200)]
    public void Logarithmic_scale_has_at_least_three_labels(double low, double high)
    {
        foreach (bool tight in (bool[])[false, true])
        {
            string[] labels = [.. new LogScale([low, high], Show.Short, tight).Ticks.Select(tick => tick.Label).Where(label => label.Length > 0)];
            Assert.InRange(labels.Length, 3, 11);
            Assert.Equal(labels, labels.Distinct());
        }
    }

    [Fact]
    public void Percentile_scale_gives_each_additional_nine_the_same_width()
    {
        var scale = new NinesScale(0.9999);
        Assert.Equal(0, scale.At(0), 9);
        Assert.Equal(scale.At(0.9) * 2, scale.At(0.99), 9);
        Assert.Equal(1, scale.At(0.9999), 9);
        Assert.Equal(["0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"], scale.Ticks.Select(tick => tick.Label));
    }

    [Fact]
    public void LabelSpacing_moves_labels_apart_within_bounds() =>
        Check.QuickThrowOnFailure(Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), wanted =>
        {
            IReadOnlyList<double> places = LabelSpacing.Apart([.. wanted.Order().Select(one => (double)one)], 15, 0, 255);
            double gap = Math.Min(15, 255.0 / Math.Max(1, places.Count - 1));
            return places.All(place => place is >= -1e-6 and <= 255 + 1e-6) && places.Zip(places.Skip(1)).All(pair => pair.Second - pair.First >= gap - 1e-6);
        }));
}
