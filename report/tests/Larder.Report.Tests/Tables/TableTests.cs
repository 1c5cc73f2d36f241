using Larder.Report.Runs;
using Larder.Report.Tables;
using Larder.Report.Tests.Runs;

namespace Larder.Report.Tests.Tables;

public sealed class TableTests
{
    [Fact]
    public void CSV_has_one_line_with_all_fields_per_measurement()
    {
        TuneRun run = SampleRun.Make();
        string[] lines = CsvTable.Of(run).Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        int measurements = (run.Search.Count * 3 * 2) + run.Rates.Count + run.Channels.Count + run.Adaptive.Count;
        Assert.Equal(1 + measurements, lines.Length);
        Assert.All(lines, line => Assert.Equal(Fields(lines[0]).Count, Fields(line).Count));
        Assert.Equal(3, lines.Count(line => Fields(line)[Fields(lines[0]).IndexOf("knee")] == "1"));
    }

    [Theory]
    [InlineData(null, "")]
    [InlineData(true, "1")]
    [InlineData(0.5, "0.5")]
    [InlineData("plain", "plain")]
    [InlineData("a,b", "\"a,b\"")]
    [InlineData("say \"x\"\n", "\"say \"\"x\"\"\n\"")]
    [InlineData("=cmd()", "'=cmd()")]
    [InlineData(-1.5, "-1.5")]
    public void CSV_field_is_quoted_and_never_a_formula(object? value, string field) => Assert.Equal(field, CsvTable.Field(value));

    [Fact]
    public void Markdown_keeps_rows_on_one_line_and_escapes_markup()
    {
        TuneRun run = SampleRun.Make() with { Notes = ["a | b\n<script>"] };
        string text = MarkdownTable.Of(run);
        Assert.Contains("- a \\| b &lt;script>", text, StringComparison.Ordinal);
        Assert.StartsWith("# dotnet pipeline, reference workload: p99.9 < 5 ms\n", text, StringComparison.Ordinal);
        string[] table = text.Split('\n').Where(line => line.StartsWith('|')).ToArray();
        Assert.True(table.Length > run.Search.Count);
        Assert.Contains(table, line => line.Contains("8 ← knee", StringComparison.Ordinal));
    }

    [Fact]
    public void Markdown_states_that_run_has_no_knee_and_no_result()
    {
        string text = MarkdownTable.Of(SampleRun.Make() with { Knee = null, Proved = null, Target = new TuneTarget(0.999, 10) });
        Assert.Contains(
            "No answer: no scheduled rate met p99.9 < 10 µs in two consecutive runs within the budget; 60,000 calls per second did once",
            text,
            StringComparison.Ordinal);
        Assert.Contains("has no knee: no concurrency keeps p99.9 below 10 µs; the best, at 1 in flight, is", text, StringComparison.Ordinal);
    }

    /// <summary>Splits a CSV line. Quotes may only enclose whole fields, as in the sample.</summary>
    private static List<string> Fields(string line)
    {
        var fields = new List<string>();
        bool quoted = false;
        string field = "";
        foreach (char letter in line)
        {
            if (letter == '"')
            {
                quoted = !quoted;
            }
            else if (letter == ',' && !quoted)
            {
                fields.Add(field);
                field = "";
            }
            else
            {
                field += letter;
            }
        }

        fields.Add(field);
        return fields;
    }
}
