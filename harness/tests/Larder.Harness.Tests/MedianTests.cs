namespace Larder.Harness.Tests;

public sealed class MedianTests
{
    [Theory]
    [InlineData(double.NaN, new double[0])]
    [InlineData(3, new double[] { 3 })]
    [InlineData(2, new double[] { 3, 1 })]
    [InlineData(5, new double[] { 9, 5, 1 })]
    [InlineData(4, new double[] { 9, 5, 1, 3 })]
    public void Median_is_middle_value_or_mean_of_two_middle_values(double median, double[] figures)
    {
        Assert.Equal(median, Median.Of(figures));
        Assert.Equal(median, Median.Of(figures.Select(figure => $"{figure}"), text => double.Parse(text, System.Globalization.CultureInfo.InvariantCulture)));
    }
}
