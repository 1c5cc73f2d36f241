using Larder.Report.Drawing;

namespace Larder.Report.Tests.Drawing;

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
    public void IsCrossed_is_true_when_line_enters_box(double x1, double y1, double x2, double y2, bool crosses) =>
        Assert.Equal(crosses, new Box(5, 4, 8, 8).IsCrossed((x1, y1, x2, y2)));

    [Fact]
    public void Label_is_placed_below_ring_when_space_is_free() =>
        Assert.Equal(new LabelPlace(412, 220, "start"), new LabelPlaces(s_frame).PlaceNear(400, 200, "knee: 144 callers"));

    [Fact]
    public void Label_avoids_lines_and_other_labels()
    {
        var places = new LabelPlaces(s_frame);
        // A curve that rises from the left to the ring and falls to the right of the ring. The curve of throughput has this shape at the knee.
        places.AddLine(100, 300, 400, 200);
        places.AddLine(400, 200, 700, 240);
        const string Second = "crossed at about 1,033 callers";
        LabelPlace first = places.PlaceNear(400, 200, "knee: 144 callers")!.Value;
        LabelPlace second = places.PlaceNear(404, 204, Second)!.Value;
        Assert.Equal("end", first.Anchor);
        Assert.False(Box.OfText(first.X, first.Y, first.Anchor, "knee: 144 callers").Overlaps(Box.OfText(second.X, second.Y, second.Anchor, Second)));
    }

    [Fact]
    public void Label_stays_inside_picture()
    {
        LabelPlace place = new LabelPlaces(s_frame).PlaceNear(s_frame.Right, s_frame.Bottom, "crossed at about 1,033 callers, which is a long way off")!.Value;
        Assert.Equal("end", place.Anchor);
        Assert.True(place.X < s_frame.Right && place.Y < s_frame.Bottom);
    }

    [Fact]
    public void LabelPlaces_returns_no_place_when_none_is_free()
    {
        var places = new LabelPlaces(s_frame);
        Assert.Null(places.PlaceNear(400, 200, new string('w', 400)));
        int taken = 0;
        while (places.PlaceNear(400, 200, "the same ring again and again") is not null)
        {
            Assert.InRange(++taken, 1, 200);
        }

        Assert.InRange(taken, 10, 200);
        places.AddRing(500, 200, 2_000);
        Assert.Null(places.PlaceAlong(200, "a"));
        Assert.Null(places.PlaceAbove(200, "a"));
    }

    [Theory]
    [InlineData("", 10, "")]
    [InlineData("abc", 100, "abc")]
    [InlineData("abcdefghij", 40, "abc…")]
    [InlineData("abc", 0, "…")]
    public void Fit_truncates_text_that_is_too_wide(string text, double width, string fits) => Assert.Equal(fits, TextSize.Fit(text, width));
}
