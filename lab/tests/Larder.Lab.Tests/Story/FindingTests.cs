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
    public void What_was_measured_is_said_beside_what_was_published_and_where_it_contradicts_it(double ratio, double published, object verdict, string sentence)
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100), Row(100 * ratio), Rate, published)!;
        Assert.Equal(verdict, finding.Verdict);
        Assert.Equal($"From a to b it {sentence}", finding.Sentence);
    }

    [Fact]
    public void Without_a_published_figure_there_is_no_verdict()
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100), Row(300), Rate)!;
        Assert.Null(finding.Verdict);
        Assert.Equal("From a to b it rose 3-fold.", finding.Sentence);
    }

    [Fact]
    public void Passes_that_say_both_that_it_rose_and_that_it_fell_say_that_it_did_not_change()
    {
        Finding finding = Finding.Of("From a to b", "it", Row(100, 140), Row(120, 150), Rate)!;
        Assert.True(finding.IsUnchanged);
        Assert.Equal("From a to b it did not change (its passes: 0.86 to 1.5 ×).", finding.Sentence);
        Assert.False(Finding.Of("From a to b", "it", Row(100, 101), Row(120, 121), Rate)!.IsUnchanged);
    }

    [Theory]
    [InlineData(0, 5)]
    [InlineData(5, 0)]
    public void A_row_in_which_nothing_ended_is_compared_with_none(double earlier, double later) =>
        Assert.Null(Finding.Of("From a to b", "it", Row(earlier), Row(later), Rate));

    [Fact]
    public void A_row_that_was_not_measured_is_compared_with_none() => Assert.Null(Finding.Of("From a to b", "it", null, Row(1), Rate));

    private static StoryRow Row(params double[] rates) => new() { Name = "row", Passes = [.. rates.Select(rate => SampleStory.Figures(rate, 100))] };

    private static double Rate(Measurement one) => one.RequestsPerSecond;
}
