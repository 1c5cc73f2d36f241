using Larder.Report.Drawing;
using Larder.Tuner.Bench;

namespace Larder.Lab.Story;

/// <content>The experiments with the Larder client. They use its unary transport if the published client had no other transport.</content>
internal static partial class StoryPlan
{
    /// <summary>The names of the lines in the graph of callers.</summary>
    public const string WithoutCap = "library, no limit", WithCap = "Larder, limit on";

    /// <summary>The deadline of the burst of calls, and the short deadline, in ms.</summary>
    public const double BurstDeadlineMs = 1_100, ShortDeadlineMs = 300;

    /// <summary>The names of the lines in the experiment with deadlines.</summary>
    public const string Sdk = "@gomomento/sdk", Ours = "Larder";

    private const int Burst = 3_000;
    private const int BurstCap = 100, SmallCap = 10;

    private static PlannedStep Callers(string client, int most) => new(
        "callers",
        "From 5 to 5,000 concurrent callers",
        "Which number of callers has the highest throughput? With more callers than that, what is the effect of a concurrency limit in the client?",
        $"The plain library ({LibraryOf(client)}) with default settings and no concurrency limit, compared with Larder over its unary transport with the "
            + "concurrency limit of Configurations.Laptop. Callers above the limit wait inside the client; the wait is part of their latency.",
        AcrossCallers,
        [
            .. UpTo(most, 5, 10, 25, 50, 100, 200, 1_000, Many).SelectMany(callers => new[]
            {
                Bare(client, $"{CallersText(callers)}, {WithoutCap}", callers) with
                {
                    Series = WithoutCap,
                    Published = Where(
                        client == "python" && (callers is PublishedFigures.BestFrom or PublishedFigures.BestTo),
                        new("highest throughput with 50 to 100 callers")),
                },
                new StoryLoad { Name = $"{CallersText(callers)}, {WithCap}", Series = WithCap, X = callers, Callers = callers },
            }),
        ]);

    private static PlannedStep Loops(int most)
    {
        int callers = Math.Min(Few, most);
        StoryLoad Load(string transport, string loop) => new()
        {
            Name = $"{transport}, {loop}",
            Series = transport,
            X = loop == "uvloop" ? 1 : 0,
            Callers = callers,
            Cap = new(CapKind.Number, callers),
            Transport = transport,
            Arguments = ["--loop", loop],
            Published = Where(loop == "uvloop" && transport == "unary", new("about 10 % more requests per second")),
        };
        return new(
            "loops",
            "asyncio compared with uvloop",
            "How much throughput does uvloop add?",
            $"Larder with {CallersText(callers)} and a concurrency limit of {Count(callers)}, over both transports. The published experiment used unary calls.",
            null,
            [Load("unary", "asyncio"), Load("unary", "uvloop"), Load("pipeline", "asyncio"), Load("pipeline", "uvloop")]);
    }

    private static PlannedStep Deadline(string client, int most)
    {
        int callers = Math.Min(Burst, most);
        bool same = callers == Burst;
        StoryLoad Load(string name, string? peer, double deadlineMs, Cap cap) => new()
        {
            Name = $"{name}, {LimitText(cap.Limit)}, {Count((int)deadlineMs)} ms",
            Series = name,
            X = PlaceOf(deadlineMs, cap.Limit),
            Callers = callers,
            Peer = peer,
            Cap = cap,
            DeadlineMs = deadlineMs,
        };
        (Cap off, Cap burst, Cap small) = (new Cap(CapKind.Off), new Cap(CapKind.Number, BurstCap), new Cap(CapKind.Number, SmallCap));
        StoryLoad[] sdk =
        [
            Load(Sdk, "momento", BurstDeadlineMs, off) with { Published = Where(same, new("all calls timed out")) },
            Load(Sdk, "momento", BurstDeadlineMs, burst) with { Published = Where(same, new("no call timed out")) },
            Load(Sdk, "momento", ShortDeadlineMs, small) with { Published = Where(same, new("the slowest call waited 4,562 ms")) },
        ];
        return new(
            "deadline",
            "Deadlines under overload",
            "Do calls end at their deadline? Do calls time out although the server could answer in time?",
            (client == "node" ? $"The published SDK ({Sdk}), the plain library" : "The plain library")
                + $" ({LibraryOf(client)}) and Larder over its unary transport, with {CallersText(callers)} and deadlines of 1,100 ms and 300 ms per call. "
                + "In Larder, waiting for the concurrency limit counts towards the deadline.",
            null,
            [
                .. client == "node" ? sdk : [],
                Load(LibraryOf(client), PlainAgentOf(client), BurstDeadlineMs, off),
                Load(Ours, null, BurstDeadlineMs, off),
                Load(Ours, null, BurstDeadlineMs, burst),
                Load(Ours, null, ShortDeadlineMs, small),
            ]);
    }

    /// <summary>Returns the x position of a load with a deadline: the deadline in ms plus the concurrency limit. A limit of 0 means no limit.</summary>
    public static double PlaceOf(double deadlineMs, int cap) => deadlineMs + cap;

    private static PlannedStep Processes(int most)
    {
        StoryLoad Load(int processes) => new()
        {
            Name = processes == 1 ? "1 process" : $"{processes} processes",
            X = processes,
            Callers = Math.Min(Few, most),
            Configuration = "inRegion.default",
            Processes = processes,
        };
        return new(
            "processes",
            "Several client processes",
            "Is the total throughput of several client processes higher than that of one?",
            $"Larder over its unary transport with Configurations.InRegion.Default and {CallersText(Math.Min(Few, most))} in each of 1, 2 and 4 processes, on "
                + "the same machine as the server. Requests per second are the total of all processes.",
            "processes",
            [Load(1), Load(2), Load(4)]);
    }

    private static PlannedStep OfLaptop(string client, int most) => new(
        "laptop",
        "Client on a laptop (30 ms round trip)",
        "How many requests should be in flight if the round trip takes 30 ms?",
        $"Larder over its unary transport with Configurations.Laptop. {InFlightText} {DelayText(Laptop)}",
        AcrossInFlight,
        [
            .. UpTo(most, 10, 25, 50, 100, 200, 500, 1_000)
                .Select(count => InFlight(count, "laptop") with { Delay = Laptop, Published = AtLaptop(client, count) }),
        ]);

    private static PlannedStep OfRegion(string client, int most) => new(
        "region",
        "Client in the server's region (1 ms round trip)",
        "How many requests should be in flight if the round trip takes 1 ms?",
        $"Larder over its unary transport with Configurations.InRegion.Default. {InFlightText} {DelayText(Region)} The published experiment ran on a machine "
            + "with 16 processors in the region of the service.",
        AcrossInFlight,
        [
            .. UpTo(most, 2, 5, 10, 25, 50, 100, 200)
                .Select(count => InFlight(count, "inRegion.default") with { Delay = Region, Published = InRegion(client, count) }),
        ]);

    private static StoryLoad InFlight(int count, string configuration) => new()
    {
        Name = $"{Count(count)} {(count == 1 ? "request" : "requests")} in flight",
        X = count,
        Callers = count,
        Cap = new(CapKind.Number, count),
        Configuration = configuration,
    };

    private static Published? AtLaptop(string client, int count) => (client, count) switch
    {
        ("node", 100) => new("about 5,000/s, p99.9 39 ms", PublishedFigures.LaptopRate, PublishedFigures.LaptopP999Us),
        ("node", 200) => new("p99.9 292 ms", null, PublishedFigures.LaptopP999AtTwiceUs),
        ("dotnet", 200) => new("11,000/s with about 20 % of the processors", PublishedFigures.DotnetLaptopRate),
        _ => null,
    };

    private static Published? InRegion(string client, int count) =>
        StoryOptions.Targets.Select(target => (Target: target, Figure: PublishedFigures.Target(client, target.LimitUs)))
            .FirstOrDefault(pair => pair.Figure?.InFlight == count) is { Figure: { } figure, Target: { } target }
            ? new($"{Show.Count(figure.RequestsPerSecond)}/s, p99.9 < {Show.ShortUs(target.LimitUs)}", figure.RequestsPerSecond)
            : null;
}
