using System.Globalization;
using System.Xml.Linq;
using FsCheck;
using FsCheck.Fluent;
using Larder.Report.Drawing;

namespace Larder.Report.Tests.Drawing;

public sealed class GraphLabelsTests
{
    private static readonly string[] s_words =
        ["knee", "p99.9", "· B", "crossed at about 1,033 callers", "StackExchange.Redis", "5 ms", "WWWW", "%", "漢字", "<b>"];

    [Fact]
    public void Graph_labels_never_overlap_or_leave_the_picture()
    {
        Gen<GraphMark> marks =
            from words in Gen.Elements(s_words).ArrayOf()
            from x in Gen.Choose(-1, 1_000)
            from y in Gen.Choose(-1, 1_000)
            select new GraphMark(string.Join(' ', words.Take(12)), "knee", x < 0 && y >= 0 ? null : x, y < 0 ? null : y);
        Gen<Series> lines =
            from words in Gen.Elements(s_words).ArrayOf()
            from values in Gen.Choose(0, 1_000).ArrayOf()
            select new Series(string.Join(' ', words.Take(6)), "main", [.. values.Select((value, index) => new GraphPoint(1 + (index * 37), value))]);
        Gen<LineGraph> graphs =
            from series in lines.ArrayOf()
            from rings in marks.ArrayOf()
            from wide in Gen.Elements(true, false)
            from log in Gen.Elements(true, false)
            select Graph(series, rings, wide, log);
        Prop.ForAll(graphs.ToArbitrary(), graph => Unread(graph).Length == 0).Check(Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(40));
    }

    [Fact]
    public void Forty_marks_at_one_point_are_all_readable()
    {
        LineGraph graph = Graph(
            [new Series("a", "main", [new(1, 1), new(999, 999)])],
            [.. Enumerable.Range(0, 40).Select(i => new GraphMark($"run {i}: the same point as all", "knee", 500, 500))],
            wide: false,
            log: false);
        Assert.Empty(Unread(graph));
        string svg = graph.Svg();
        Assert.All(Enumerable.Range(0, 40), i => Assert.Contains($"run {i}: the same", svg, StringComparison.Ordinal));
        Assert.True(double.Parse(XElement.Parse(svg).Attribute("viewBox")!.Value.Split(' ')[3], CultureInfo.InvariantCulture) > 330);
    }

    private static LineGraph Graph(Series[] series, GraphMark[] marks, bool wide, bool log) => new(
        "id",
        "title",
        "text",
        new Axis("calls per second", log ? new LogScale([1, 1_000], Show.Short) : new LinearScale(0, 1_000, Show.Short), Show.Short),
        new Axis("latency", new LinearScale(0, 1_000, Show.Short), Show.Short),
        series,
        marks)
    {
        Wide = wide,
    };

    /// <summary>Returns the texts that overlap another text or extend beyond the picture.</summary>
    private static string[] Unread(LineGraph graph)
    {
        XElement picture = XElement.Parse(graph.Svg());
        double[] size = [.. picture.Attribute("viewBox")!.Value.Split(' ').Select(side => double.Parse(side, CultureInfo.InvariantCulture))];
        (string Text, Box Box)[] texts =
        [
            .. picture.Descendants("text").Select(text => (Text: Content(text), Box: BoxOf(text))).Where(one => one.Text.Length > 0),
        ];
        return
        [
            .. from one in texts where one.Box.Left < 0 || one.Box.Right > size[2] + 0.1 || one.Box.Bottom > size[3] select $"outside: {one.Text}",
            .. from i in Enumerable.Range(0, texts.Length)
               from j in Enumerable.Range(0, i)
               where texts[i].Box.Overlaps(texts[j].Box)
               select $"{texts[i].Text} / {texts[j].Text}",
        ];
    }

    private static string Content(XElement text) => text.Nodes().OfType<XText>().FirstOrDefault()?.Value ?? "";

    /// <summary>Returns the text's box. It is smaller by 0.1 on each side, because coordinates are rounded to one decimal.</summary>
    private static Box BoxOf(XElement text)
    {
        bool bold = ((string?)text.Attribute("class"))?.StartsWith("mark", StringComparison.Ordinal) == true;
        var box = Box.OfText(
            double.Parse(text.Attribute("x")!.Value, CultureInfo.InvariantCulture),
            double.Parse(text.Attribute("y")!.Value, CultureInfo.InvariantCulture),
            (string?)text.Attribute("text-anchor") ?? "start",
            Content(text),
            bold);
        return new Box(box.Left + 0.1, box.Top + 0.1, box.Right - 0.1, box.Bottom - 0.1);
    }
}
