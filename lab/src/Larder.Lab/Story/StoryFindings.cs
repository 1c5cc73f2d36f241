using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Lab.Story;

/// <summary>
/// The conclusions from each experiment, in one or two sentences that are generated from its measurements. There is no sentence about values that were not
/// measured.
/// </summary>
internal static class StoryFindings
{
    private const string Rate = "requests per second", P50 = "p50", P999 = "p99.9";

    private static readonly Func<Measurement, double> s_rate = one => one.RequestsPerSecond;
    private static readonly Func<Measurement, double> s_p50 = one => one.Latency.P50Us;
    private static readonly Func<Measurement, double> s_p999 = one => one.Latency.P999Us;

    /// <summary>Returns the sentences of a step.</summary>
    public static IReadOnlyList<string> Of(StoryStep step, StoryRun run) =>
    [
        .. (step.Id switch
        {
            "naive" => Naive(step),
            "channels" => Channels(step, run.Language),
            "pool" => Pool(step, run.Language),
            "callers" => Callers(step, run.Language),
            "connections" => ConnectionFindings.Of(step),
            "loops" => Loops(step),
            "deadline" => DeadlineFindings.Of(step),
            "processes" => Processes(step),
            "laptop" => Laptop(step, run.Language),
            "region" => TargetFindings.OfRegion(step, run),
            StoryPlan.Targets => TargetFindings.Of(step, run),
            _ => [],
        }).OfType<string>(),
    ];

    private static IEnumerable<string?> Naive(StoryStep step)
    {
        (StoryRow? few, StoryRow? many) = (Measured(step, 0), Measured(step, 1));
        string between = $"From {Count(few?.X)} to {Count(many?.X)} callers";
        yield return Finding.Of(between, Rate, few, many, s_rate)?.Sentence;
        yield return Finding.Of(between, P999, few, many, s_p999)?.Sentence;
        if (many is { Connections: { } here, Published.Connections: { } published })
        {
            yield return $"{Count(many.X)} callers opened {Connections(here)}. Published: {Connections(published)}. {Same(here == published)}";
        }
    }

    private static IEnumerable<string?> Channels(StoryStep step, string language)
    {
        StoryRow? one = step.Row("", 1);
        StoryRow? five = step.Row("", StoryPlan.EnoughChannels);
        string between = $"From 1 to {StoryPlan.EnoughChannels} channels";
        (double? rate, double? p50) = language switch
        {
            "node" => (PublishedFigures.ChannelsRate, PublishedFigures.ChannelsP50),
            "python" => (PublishedFigures.NoChange, null),
            _ => ((double?)null, (double?)null),
        };
        yield return Finding.Of(between, Rate, one, five, s_rate, rate)?.Sentence;
        yield return Finding.Of(between, P50, one, five, s_p50, p50)?.Sentence;
        yield return Best(step.Line(""), row => row.Name);
    }

    private static IEnumerable<string?> Pool(StoryStep step, string language)
    {
        (StoryRow? shared, StoryRow? local) = (step.Row("shared", StoryPlan.EnoughChannels), step.Row("local", StoryPlan.EnoughChannels));
        if (shared?.Connections is { } one && local?.Connections is { } own)
        {
            yield return $"{StoryPlan.EnoughChannels} channels opened {Connections(one)} with the shared pool and {Connections(own)} with local pools.";
        }

        const string Between = "From the shared pool to local pools";
        yield return Finding.Of(Between, Rate, shared, local, s_rate, language == "python" ? PublishedFigures.NoChange : null)?.Sentence;
        yield return Finding.Of(Between, P50, shared, local, s_p50)?.Sentence;
    }

    private static IEnumerable<string?> Callers(StoryStep step, string language)
    {
        StoryRow[] bare = [.. step.Line(StoryPlan.WithoutCap)];
        StoryRow[] ours = [.. step.Line(StoryPlan.WithCap)];
        if (BestOf(bare) is { } best)
        {
            string published = language != "python" ? "" : " Published: it had its highest throughput with 50 to 100 callers. "
                + Same(best.X is >= PublishedFigures.BestFrom and <= PublishedFigures.BestTo);
            yield return $"The plain library had its highest throughput with {Count(best.X)} callers: {Throughput(best)}.{published}";
        }

        if (bare.Length > 0 && ours.Length > 0 && bare[^1].X == ours[^1].X)
        {
            string between = $"With {Count(ours[^1].X)} callers, from the plain library to Larder with its concurrency limit";
            yield return Finding.Of(between, Rate, bare[^1], ours[^1], s_rate)?.Sentence;
            yield return Finding.Of(between, P999, bare[^1], ours[^1], s_p999)?.Sentence;
        }

        if (BestOf(ours) is { } most && ours[^1] is { } last && most != last)
        {
            string share = Show.Percent(last.RequestsPerSecond / most.RequestsPerSecond, "0");
            yield return $"With {Count(last.X)} callers, Larder reached {share} of its highest throughput.";
        }
    }

    private static IEnumerable<string?> Loops(StoryStep step)
    {
        foreach ((string transport, double? published) in new (string, double?)[] { ("unary", PublishedFigures.Uvloop), ("pipeline", null) })
        {
            string between = $"Over the {transport} transport, from asyncio to uvloop";
            yield return Finding.Of(between, Rate, step.Row(transport, 0), step.Row(transport, 1), s_rate, published)?.Sentence;
        }
    }

    private static IEnumerable<string?> Processes(StoryStep step)
    {
        StoryRow? one = step.Row("", 1);
        foreach (StoryRow more in step.Line("").Where(row => row.X > 1))
        {
            yield return Finding.Of($"From 1 to {Count(more.X)} processes", $"total {Rate}", one, more, s_rate)?.Sentence;
        }

        if (step.Line("").LastOrDefault() is { } last && last.Middle(each => each.ClientCpu) is var clients and > 0)
        {
            double? server = Median.OfKnown(last.Passes.Select(each => each.ServerCpu));
            yield return $"{last.Name} used {Show.Processors(clients)} processors in total and the server used {Show.Processors(server)}, on the same machine.";
        }
    }

    private static IEnumerable<string?> Laptop(StoryStep step, string language)
    {
        (StoryRow? hundred, StoryRow? twice) = (step.Row("", 100), step.Row("", 200));
        foreach (StoryRow row in step.Line("").Where(row => row.Published?.RequestsPerSecond is not null))
        {
            yield return $"With {row.Name}, the client reached {Throughput(row)} and used {Show.Processors(row.Middle(one => one.ClientCpu))} processors. "
                + $"Published: {row.Published!.Text}.";
        }

        const string Between = "From 100 to 200 requests in flight";
        yield return Finding.Of(Between, Rate, hundred, twice, s_rate)?.Sentence;
        yield return Finding.Of(
            Between,
            P999,
            hundred,
            twice,
            s_p999,
            language == "node" ? PublishedFigures.LaptopP999AtTwiceUs / PublishedFigures.LaptopP999Us : null)?.Sentence;
        yield return Best(step.Line(""), row => row.Name);
    }

    /// <summary>Returns the row with the most successful requests per second; null if there are no rows.</summary>
    public static StoryRow? BestOf(IEnumerable<StoryRow> rows) => rows.MaxBy(row => row.RequestsPerSecond * (1 - row.FailedShare));

    /// <summary>Returns a sentence on whether the published result was reproduced.</summary>
    public static string Same(bool same) => same ? Finding.Agrees : Finding.Differs;

    /// <summary>Formats the requests per second of a row.</summary>
    public static string Throughput(StoryRow row) => $"{Count(row.RequestsPerSecond)} {Rate}";

    private static string? Best(IEnumerable<StoryRow> rows, Func<StoryRow, string> name) =>
        BestOf(rows) is { } best
            ? $"The highest throughput was measured with {name(best)}: {Throughput(best)}, p99.9 {Show.Us(best.Middle(s_p999))}."
            : null;

    private static StoryRow? Measured(StoryStep step, int index) => step.Rows.Count > index && step.Rows[index].Passes.Count > 0 ? step.Rows[index] : null;

    private static string Connections(double count) => count == 1 ? "1 connection" : $"{Count(count)} connections";

    private static string Count(double? number) => Show.Count(number);
}
