using Larder.Tuner.Report.Drawing;

namespace Larder.Tuner.Tests.Report.Drawing;

public sealed class LabelPlacesTests
{
    private static readonly Frame s_frame = Frame.For(["a line"], wide: true);

    [Theory]
    [InlineData(0, 0, 10, 10, true)]
    [InlineData(0, 5, 4, 5, false)]
    [InlineData(7, 0, 7, 3, false)]
    [InlineData(7, 0, 7, 20, true)]
    [InlineData(0, 9, 9, 20, false)]
    [InlineData(6, 6, 7, 7, true)]
    public void A_line_crosses_a_box_where_it_enters_it(double x1, double y1, double x2, double y2, bool crosses) =>
        Assert.Equal(crosses, LabelPlaces.Crosses((x1, y1, x2, y2), (5, 4, 8, 8)));

    [Fact]
    public void A_label_stands_right_below_its_ring_where_nothing_is_in_the_way() =>
        Assert.Equal((412, 220, "start"), new LabelPlaces(s_frame).Take(400, 200, "knee: 144 callers"));

    [Fact]
    public void A_label_keeps_off_a_line_and_off_the_other_label()
    {
        var places = new LabelPlaces(s_frame);
        // A curve that comes from the left and falls to the right of the ring, as throughput does past the knee.
        places.AddLine(100, 300, 400, 200);
        places.AddLine(400, 200, 700, 240);
        (double X, double Y, string Anchor) first = places.Take(400, 200, "knee: 144 callers");
        (double X, double Y, string Anchor) second = places.Take(404, 204, "crossed at about 1,033 callers");
        Assert.Equal("end", first.Anchor);
        Assert.NotEqual(first, second);
        Assert.True(Math.Abs(first.Y - second.Y) >= 15 || first.Anchor != second.Anchor);
    }

    [Fact]
    public void A_label_stays_inside_the_picture()
    {
        (double x, double y, string? anchor) = new LabelPlaces(s_frame).Take(
            s_frame.Right,
            s_frame.Bottom,
            "crossed at about 1,033 callers, which is a long way off");
        Assert.Equal("end", anchor);
        Assert.True(x < s_frame.Right && y < s_frame.Bottom);
    }
}
