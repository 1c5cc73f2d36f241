using Larder.Lab.Attackers;

namespace Larder.Lab.Tests.Attackers;

public sealed class CompanionRateTests
{
    [Theory]
    [InlineData(0.4)]
    [InlineData(0.8)]
    [InlineData(1.6)]
    public void Rate_converges_until_CPU_time_equals_CPU_time_of_attack(double attack)
    {
        var rate = new CompanionRate();
        double used = 0;
        for (int round = 0; round < 20; round++)
        {
            double calls = rate.For(attack);
            used = 0.1 + (calls * 0.00002);
            rate.Learn(calls, used);
        }

        Assert.InRange(used, attack * 0.98, attack * 1.02);
    }

    [Theory]
    [InlineData(0.4)]
    [InlineData(1.7)]
    public void Rate_converges_when_CPU_time_is_not_linear(double attack)
    {
        var rate = new CompanionRate();
        double used = 0;
        for (int round = 0; round < 6; round++)
        {
            double calls = rate.For(attack);
            used = 0.002 * Math.Sqrt(calls);
            rate.Learn(calls, used);
        }

        Assert.InRange(used, attack * 0.95, attack * 1.05);
    }

    [Theory]
    [InlineData(1.7, 1.54, true)]
    [InlineData(1.7, 1.52, false)]
    [InlineData(1.7, 1.86, true)]
    [InlineData(1.7, 1.88, false)]
    [InlineData(null, 1.0, true)]
    [InlineData(1.0, null, true)]
    public void IsNear_accepts_ten_percent_difference(double? attack, double? used, bool expected) =>
        Assert.Equal(expected, CompanionRate.IsNear(attack, used));

    [Fact]
    public void Rate_keeps_estimate_when_reading_is_missing()
    {
        var rate = new CompanionRate();
        double before = rate.For(1);
        rate.Learn(5, null);
        Assert.Equal(before, rate.For(1));
    }

    [Theory]
    [InlineData(0.0, 2.0, 100)]
    [InlineData(2.0, 0.0, 4_000_000)]
    public void Rate_stays_within_its_limits(double attack, double used, double expected)
    {
        var rate = new CompanionRate();
        for (int round = 0; round < 10; round++)
        {
            rate.Learn(rate.For(attack), used);
        }

        Assert.Equal(expected, rate.For(attack));
    }
}
