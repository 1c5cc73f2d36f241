using Larder.Lab.Story;
using Larder.Report.Runs;

namespace Larder.Lab.Tests.Story;

public sealed class FindingTests
{
    [Theory]
    [InlineData(1.02, 1.0, Verdict.AsPublished, "did not change; published: it did not change: the same here.")]
    [InlineData(1.4, 1.0, Verdict.ChangedHereOnly, "rose 1.4-fold; published: it did not change: here it did change.")]
    [InlineData(2.0, 2.6, Verdict.AsPublished, "rose 2-fold; published: it rose 2.6-fold: the same here.")]
    [InlineData(1.3, 2.6, Verdict.Less, "rose 1.3-fold; published: it rose 2.6-fold: the same direction here, but less.")]
    [InlineData(26.0, 2.6, Verdict.More, "rose 26-fold; published: it rose 2.6-fold: the same direction here, and more.")]
    [InlineData(0.97, 2.6, Verdict.NotSeenHere, "did not change; published: it rose 2.6-fold: not seen here.")]
    [InlineData(0.5, 2.6, Verdict.Contrary, "fell 2-fold; published: it rose 2.6-fold: the contrary was measured here.")]
    [InlineData(0.025, 1 / 43.0, Verdict.AsPublished, "fell 40-fold; published: it fell 43-fold: the same here.")]
    [InlineData(0.5, 1 / 43.0, Verdict.Less, "fell 2-fold; published: it fell 43-fold: the same direction here, but less.")]
    [InlineData(2.0, 1 / 43.0, Verdict.Contrary, "rose 2-fold; published: it fell 43-fold: the contrary was measured here.")]
    public void Sentence_compares_measured_and_published_ratio(double ratio, double published, object verdict, string sentence)
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100), Row(100 * ratio), Rate, published)!;
        Assert.Equal(verdict, finding.Verdict);
        Assert.Equal($"From a to b it {sentence}", finding.Sentence);
    }

    [Fact]
    public void Finding_without_published_value_has_no_verdict()
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100), Row(300), Rate)!;
        Assert.Null(finding.Verdict);
        Assert.Equal("From a to b it rose 3-fold.", finding.Sentence);
    }

    [Fact]
    public void Contradicting_passes_are_reported_as_no_change()
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100, 140), Row(120, 150), Rate)!;
        Assert.True(finding.IsUnchanged);
        Assert.Equal("From a to b it did not change (its passes: 0.86 to 1.5 ×).", finding.Sentence);
        Assert.False(Finding.Of("From a to b", "it", Row(100, 101), Row(120, 121), Rate)!.IsUnchanged);
    }

    [Theory]
    [InlineData(0, 5)]
    [InlineData(5, 0)]
    public void Row_without_finished_calls_has_no_finding(double earlier, double later) =>
        Assert.Null(Finding.Of("From a to b", "it", Row(earlier), Row(later), Rate));

    [Fact]
    public void Unmeasured_row_has_no_finding() => Assert.Null(Finding.Of("From a to b", "it", null, Row(1), Rate));

    private static StoryRow Row(params double[] rates) => new() { Name = "row", Passes = [.. rates.Select(rate => SampleStory.Figures(rate, 100))] };

    private static double Rate(Measurement one) => one.RequestsPerSecond;
}
