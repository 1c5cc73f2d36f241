using Larder.Lab.Attackers;

namespace Larder.Lab.Tests.Attackers;

public sealed class CompanionRateTests
{
    [Theory]
    [InlineData(0.4)]
    [InlineData(0.8)]
    [InlineData(1.6)]
    public void Rate_approaches_the_cpu_of_the_attack(double attack)
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
    public void Rate_approaches_the_cpu_when_calls_travel_together(double attack)
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
    public void Cpu_within_a_tenth_of_the_attacks_is_near(double? attack, double? used, bool expected) =>
        Assert.Equal(expected, CompanionRate.IsNear(attack, used));

    [Fact]
    public void Rate_keeps_its_estimate_when_a_reading_is_missing()
    {
        var rate = new CompanionRate();
        double before = rate.For(1);
        rate.Learn(5, null);
        Assert.Equal(before, rate.For(1));
    }

    [Theory]
    [InlineData(0.0, 2.0, 100)]
    [InlineData(2.0, 0.0, 4_000_000)]
    public void Rate_stays_within_its_bounds(double attack, double used, double expected)
    {
        var rate = new CompanionRate();
        for (int round = 0; round < 10; round++)
        {
            rate.Learn(rate.For(attack), used);
        }

        Assert.Equal(expected, rate.For(attack));
    }
}
