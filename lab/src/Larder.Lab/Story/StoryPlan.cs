using System.Globalization;
using Larder.Harness.Proxies;

namespace Larder.Lab.Story;

/// <summary>The experiments of a language, in the order in which they were published.</summary>
internal static partial class StoryPlan
{
    /// <summary>The id of the last step, which is tuned.</summary>
    public const string Targets = "targets";

    /// <summary>All ids, in order. A language has the steps that were published for it.</summary>
    public static readonly string[] Ids =
        ["naive", "channels", "pool", "callers", "connections", "loops", "deadline", "processes", "laptop", "region", Targets];

    /// <summary>The networks of a laptop far from the service, and of a machine in its region.</summary>
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
            "Two targets, and the configuration each leads to",
            "What rate keeps p99.9 below 20 ms, and below 5 ms, and with how many in flight?",
            "Our client over both transports, 1 ms there and back by the delay proxy, tuned as by larder tune: calls due at random intervals, latency from "
                + "when each was due, the highest rate that two runs in a row confirm and the smallest cap that carries it. What was published was read off a "
                + "closed loop, where callers wait for each other, over one unary transport.",
            null,
            []);
    }

    /// <summary>Returns the peer name of a language's bare library.</summary>
    public static string PlainAgentOf(string client) => client switch { "dotnet" => "httpclient", "python" => "grpcio", _ => "grpc-js" };

    /// <summary>Returns the usual name of a language's bare library.</summary>
    public static string LibraryOf(string client) => client switch { "dotnet" => "HttpClient", "python" => "grpcio", _ => "grpc-js" };

    private static string Count(int number) => number.ToString("N0", CultureInfo.InvariantCulture);

    private static string CallersText(int callers) => callers == 1 ? "1 caller" : $"{Count(callers)} callers";

    private static IEnumerable<int> UpTo(int most, params int[] ladder) => ladder.Where(rung => rung <= most).DefaultIfEmpty(most);

    /// <summary>Returns the published figures if the load is the published one; otherwise null.</summary>
    private static Published? Where(bool same, Published published) => same ? published : null;
}
