using Larder.Lab.Story;
using Larder.Report.Runs;

namespace Larder.Lab.Tests.Story;

public sealed class FindingTests
{
    [Theory]
    [InlineData(1.02, 1.0, Verdict.AsPublished, "did not change. Published: it did not change. The results agree.")]
    [InlineData(1.4, 1.0, Verdict.ChangedHereOnly, "increased by a factor of 1.4. Published: it did not change. The results differ.")]
    [InlineData(2.0, 2.6, Verdict.AsPublished, "increased by a factor of 2. Published: it increased by a factor of 2.6. The results agree.")]
    [InlineData(1.3, 2.6, Verdict.Less, "increased by a factor of 1.3. Published: it increased by a factor of 2.6. The change is smaller here.")]
    [InlineData(26.0, 2.6, Verdict.More, "increased by a factor of 26. Published: it increased by a factor of 2.6. The change is larger here.")]
    [InlineData(0.97, 2.6, Verdict.NotSeenHere, "did not change. Published: it increased by a factor of 2.6. The change was not reproduced.")]
    [InlineData(0.5, 2.6, Verdict.Contrary, "decreased by a factor of 2. Published: it increased by a factor of 2.6. The result here is the opposite.")]
    [InlineData(0.025, 1 / 43.0, Verdict.AsPublished, "decreased by a factor of 40. Published: it decreased by a factor of 43. The results agree.")]
    [InlineData(0.5, 1 / 43.0, Verdict.Less, "decreased by a factor of 2. Published: it decreased by a factor of 43. The change is smaller here.")]
    [InlineData(2.0, 1 / 43.0, Verdict.Contrary, "increased by a factor of 2. Published: it decreased by a factor of 43. The result here is the opposite.")]
    public void Sentence_compares_measured_and_published_ratio(double ratio, double published, object verdict, string sentence)
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100), Row(100 * ratio), Rate, published)!;
        Assert.Equal(verdict, finding.Verdict);
        Assert.Equal($"From a to b, it {sentence}", finding.Sentence);
    }

    [Fact]
    public void Finding_without_published_value_has_no_verdict()
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100), Row(300), Rate)!;
        Assert.Null(finding.Verdict);
        Assert.Equal("From a to b, it increased by a factor of 3.", finding.Sentence);
    }

    [Fact]
    public void Contradicting_passes_are_reported_as_no_change()
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100, 140), Row(120, 150), Rate)!;
        Assert.True(finding.IsUnchanged);
        Assert.Equal("From a to b, it did not change (ratio across passes: 0.86 to 1.5).", finding.Sentence);
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
