using Larder.Tuner.Quickstart;

namespace Larder.Tuner.Tests.Quickstart;

public sealed class KneeTextTests
{
    [Fact]
    public void KneeText_explains_knee_within_sweep() =>
        Assert.Equal(
            "The knee, which is the lowest concurrency with at least 98 % of the highest throughput, is at 500 calls in flight: "
                + "3,022,574 calls per second, p99.9 1.62 ms. "
                + "More concurrent calls would only wait longer, so the client's concurrency limit queues them.",
            KneeText.Of(500, 3_022_574, 1_619, 500, 1_000));

    [Theory]
    [InlineData(1_000)]
    [InlineData(500)]
    public void KneeText_suggests_more_callers_when_last_rung_is_best(int knee)
    {
        string text = KneeText.Of(knee, 900_000, 5_000, 1_000, 1_000);
        Assert.EndsWith(
            "at the last step (1,000 calls in flight), so more calls in flight may increase it. Run larder tune to search further.",
            text,
            StringComparison.Ordinal);
        Assert.DoesNotContain("only wait longer", text, StringComparison.Ordinal);
    }
}
