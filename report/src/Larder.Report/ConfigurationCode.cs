using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;

namespace Larder.Report;

/// <summary>Generates code for the configuration that a run recommends, as a complete file in the language of the client.</summary>
internal static class ConfigurationCode
{
    /// <summary>
    /// Returns the code for one language. The code starts from a versioned base configuration. The settings of a version never change, so the effect of the
    /// code never changes either.
    /// </summary>
    /// <param name="language"><c>dotnet</c>, <c>python</c> or <c>node</c>.</param>
    /// <param name="recommendation">The recommended settings.</param>
    /// <param name="measured">
    /// The measured transport. If it is <c>unary</c> or <c>pipeline</c>, only the concurrency limit of this transport is set. Otherwise the limits of both
    /// transports are set.
    /// </param>
    /// <param name="why">A description of where the values come from. The code contains it as a comment on one line.</param>
    public static string Of(string language, Recommendation recommendation, string measured, string why) => language switch
    {
        "dotnet" => Dotnet(recommendation, measured, OneLine(why)),
        "python" => Python(recommendation, measured, OneLine(why)),
        "node" => Node(recommendation, measured, OneLine(why)),
        _ => throw new ArgumentOutOfRangeException(nameof(language), language, "The language must be dotnet, python or node."),
    };

    /// <summary>Returns the code for a run. Returns null if the run recommends nothing or if the report cannot generate code for its client.</summary>
    public static string? Of(TuneRun run) => run.Recommendation is not null && run.Client.Language is "dotnet" or "python" or "node"
        ? Of(run.Client.Language, run.Recommendation!, run.Client.Transport, SourceOf(run))
        : null;

    /// <summary>Returns the name of the language for headings.</summary>
    public static string NameOf(string language) => language switch
    {
        "dotnet" => "C#",
        "python" => "Python",
        "node" => "TypeScript",
        _ => language,
    };

    /// <summary>Returns the usual name of the platform.</summary>
    public static string PlatformOf(string language) => language switch
    {
        "dotnet" => ".NET",
        "python" => "Python",
        "node" => "Node",
        _ => language,
    };

    /// <summary>Returns one line that describes a run and its result. The code for the run contains this line as a comment.</summary>
    public static string SourceOf(TuneRun run) =>
        run.Proved is { } proved
            ? $"larder tune, {run.Machine.Date:yyyy-MM-dd}: {Show.Count(proved.RatePerSecond)} calls per second on a schedule with a concurrency limit of "
                + $"{Show.Count(proved.Cap)}, {RateAnswer.FigureOf(run.Target, proved)} (target {Show.ShortUs(run.Target.LimitUs)})"
        : run.KneeRung() is { } knee
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"larder tune, {run.Machine.Date:yyyy-MM-dd}: {knee.Callers:N0} in flight gave {knee.RequestsPerSecond:N0} calls per second, "
                    + $"{run.Target.Name()} {Show.Us(knee.Middle(one => one.Latency.AtUs(run.Target.Quantile)))} (target {Show.ShortUs(run.Target.LimitUs)})")
        : "larder tune found no knee";

    private static string Dotnet(Recommendation settings, string measured, string why)
    {
        var lines = new List<string>
        {
            "using Larder.Client;",
            "",
            $"// {why}.",
            $"Configuration configuration = Configurations.{Base(settings, "Laptop", "InRegion.Default", "InRegion.LowLatency", "Lambda")}.V1() with",
            "{",
            $"    Transport = Transport.{Way(settings, "Auto", "Unary", "Pipeline")},",
        };
        lines.AddRange(Caps(settings, measured, "    MaxInFlightUnary = {0},", "    MaxInFlightPipeline = {0},"));
        if (settings.Channels is { } channels)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"    Channels = {channels},"));
        }

        if (settings.RequestTimeoutMs is { } timeout)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"    RequestTimeout = TimeSpan.FromMilliseconds({timeout}),"));
        }

        lines.Add("};");
        lines.Add("await using CacheClient client = new(configuration, CredentialProvider.Local(), defaultTtl: TimeSpan.FromMinutes(5));");
        return string.Join('\n', lines) + "\n";
    }

    private static string Python(Recommendation settings, string measured, string why)
    {
        var lines = new List<string>
        {
            "from larder_cache import CacheClient, Configurations, CredentialProvider, Transport",
            "",
            $"# {why}.",
            $"configuration = Configurations.{Base(settings, "Laptop", "InRegion.Default", "InRegion.LowLatency", "Lambda")}.v1().with_settings(",
            $"    transport=Transport.{Way(settings, "AUTO", "UNARY", "PIPELINE")},",
        };
        lines.AddRange(Caps(settings, measured, "    max_in_flight_unary={0},", "    max_in_flight_pipeline={0},"));
        if (settings.Channels is { } channels)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"    channels={channels},"));
        }

        if (settings.RequestTimeoutMs is { } timeout)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"    request_timeout_s={timeout / 1000},"));
        }

        lines.Add(")");
        lines.Add("client = CacheClient(CredentialProvider.local(), configuration=configuration, default_ttl=300)");
        return string.Join('\n', lines) + "\n";
    }

    private static string Node(Recommendation settings, string measured, string why)
    {
        var lines = new List<string>
        {
            "import { CacheClient, Configurations, CredentialProvider, withSettings } from \"larder-cache\";",
            "",
            $"// {why}.",
            $"const configuration = withSettings(Configurations.{Base(settings, "Laptop", "InRegion.Default", "InRegion.LowLatency", "Lambda")}.v1(), {{",
            $"  transport: \"{Way(settings, "auto", "unary", "pipeline")}\",",
        };
        lines.AddRange(Caps(settings, measured, "  maxInFlightUnary: {0},", "  maxInFlightPipeline: {0},"));
        if (settings.Channels is { } channels)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"  channels: {channels},"));
        }

        if (settings.RequestTimeoutMs is { } timeout)
        {
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"  requestTimeoutMs: {timeout},"));
        }

        lines.Add("});");
        lines.Add("const client = new CacheClient({ configuration, credentials: CredentialProvider.local(), defaultTtlMs: 300_000 });");
        return string.Join('\n', lines) + "\n";
    }

    /// <summary>
    /// Returns the settings of the concurrency limits. Each transport has a separate limit, and the best limit of one transport is wrong for the other.
    /// </summary>
    private static IEnumerable<string> Caps(Recommendation settings, string measured, string unary, string pipeline)
    {
        if (measured != "pipeline")
        {
            yield return string.Format(CultureInfo.InvariantCulture, unary, settings.MaxInFlight);
        }

        if (measured != "unary")
        {
            yield return string.Format(CultureInfo.InvariantCulture, pipeline, settings.MaxInFlight);
        }
    }

    /// <summary>
    /// Returns the argument for the recommended base configuration. The name of the configuration itself is not used, because text from a run file must never
    /// be copied into code.
    /// </summary>
    private static string Base(Recommendation settings, string laptop, string inRegion, string lowLatency, string lambda) => settings.Base.Split(".v")[0] switch
    {
        "inRegion.default" => inRegion,
        "inRegion.lowLatency" => lowLatency,
        "lambda" => lambda,
        _ => laptop,
    };

    private static string Way(Recommendation settings, string auto, string unary, string pipeline) => settings.Transport switch
    {
        "unary" => unary,
        "pipeline" => pipeline,
        _ => auto,
    };

    private static string OneLine(string text) => string.Concat(text.Select(letter => char.IsControl(letter) || letter is '\u2028' or '\u2029' ? ' ' : letter));
}
