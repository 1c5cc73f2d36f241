using System.Globalization;
using Larder.Harness.Proxies;

namespace Larder.Lab.Story;

/// <summary>The experiments of a language, in the order in which they were published.</summary>
internal static partial class StoryPlan
{
    /// <summary>The id of the last step, in which the client is tuned.</summary>
    public const string Targets = "targets";

    /// <summary>All step ids, in order. A language has only the steps that were published for it.</summary>
    public static readonly string[] Ids =
        ["naive", "channels", "pool", "callers", "connections", "loops", "deadline", "processes", "laptop", "region", Targets];

    /// <summary>The simulated networks: between a laptop and a distant service, and between a machine and a service in the same region.</summary>
    public static readonly NetworkDelay Laptop = new(TimeSpan.FromMilliseconds(30)), Region = new(TimeSpan.FromMilliseconds(1));

    public static IReadOnlyList<PlannedStep> Of(StoryOptions options) =>
    [
        .. All(options).Where(step => options.Steps is null || options.Steps.Contains(step.Id)),
    ];

    private static IEnumerable<PlannedStep> All(StoryOptions options)
    {
        string client = options.Client;
        yield return Naive(client, options.Most);
        yield return Channels(client, options.Most);
        if (client != "dotnet")
        {
            yield return Pool(client, options.Most);
        }

        yield return Callers(client, options.Most);
        if (client == "dotnet")
        {
            yield return Connections(options.Most);
        }

        if (client == "python")
        {
            yield return Loops(options.Most);
        }

        yield return Deadline(client, options.Most);
        yield return Processes(options.Most);
        yield return OfLaptop(client, options.Most);
        yield return OfRegion(client, options.Most);
        yield return new(
            Targets,
            "Tuning for two latency targets",
            "What is the highest request rate with p99.9 below 5 ms and below 20 ms, and which concurrency limit does it need?",
            $"Larder over both transports, tuned with larder tune. {DelayText(Region)} Requests are scheduled at random intervals (open loop), and latency is "
                + "measured from the scheduled time. The result is the highest rate that two consecutive runs confirm, and the smallest concurrency limit that "
                + "sustains it. The published experiment used a closed loop, in which callers wait for each other, and unary calls only.",
            null,
            []);
    }

    /// <summary>Returns the name of the peer that measures the plain library of a language.</summary>
    public static string PlainAgentOf(string client) => client switch { "dotnet" => "grpc-dotnet", "python" => "grpcio", _ => "grpc-js" };

    /// <summary>Returns the usual name of the plain library of a language.</summary>
    public static string LibraryOf(string client) => client switch { "dotnet" => "Grpc.Net.Client", "python" => "grpcio", _ => "grpc-js" };

    /// <summary>Formats a concurrency limit. 0 means no limit.</summary>
    public static string LimitText(int limit) => limit == 0 ? "no limit" : $"limit {Count(limit)}";

    private const string AcrossCallers = "concurrent callers", AcrossInFlight = "requests in flight";

    private const string InFlightText = "N requests in flight means N callers and a concurrency limit of N.";

    private static string DelayText(NetworkDelay delay) => $"A delay proxy simulates a round trip of {Count((int)delay.RoundTrip.TotalMilliseconds)} ms.";

    private static string Count(int number) => number.ToString("N0", CultureInfo.InvariantCulture);

    private static string CallersText(int callers) => callers == 1 ? "1 caller" : $"{Count(callers)} callers";

    private static IEnumerable<int> UpTo(int most, params int[] ladder) => ladder.Where(rung => rung <= most).DefaultIfEmpty(most);

    /// <summary>Returns the published result if the load is the published one; otherwise null.</summary>
    private static Published? Where(bool same, Published published) => same ? published : null;
}
