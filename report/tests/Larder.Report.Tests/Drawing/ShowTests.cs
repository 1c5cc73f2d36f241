using Larder.Report.Drawing;

namespace Larder.Report.Tests.Drawing;

public sealed class ShowTests
{
    [Theory]
    [InlineData(0.5, "0.50 µs")]
    [InlineData(93.76, "93.8 µs")]
    [InlineData(999.4, "999 µs")]
    [InlineData(999.7, "1.00 ms")]
    [InlineData(3983, "3.98 ms")]
    [InlineData(999_499, "999 ms")]
    [InlineData(1_200_000, "1.20 s")]
    [InlineData(double.NaN, "–")]
    public void Show_Us_formats_three_digits_and_unit(double us, string shown) => Assert.Equal(shown, Show.Us(us));

    [Theory]
    [InlineData(950_000, "950k")]
    [InlineData(1_500_000, "1.5M")]
    [InlineData(13, "13")]
    public void Show_Short_abbreviates_large_counts(double count, string shown) => Assert.Equal(shown, Show.Short(count));

    [Fact]
    public void Escape_encodes_markup_and_replaces_control_characters()
    {
        Assert.Equal("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;", Html.Escape("<b a=\"1\" c='2'>&"));
        Assert.Equal("a\uFFFDb", Html.Escape("a\u0000b"));
        Assert.Equal("", Html.Escape(null));
    }
}
