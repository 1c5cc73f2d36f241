using Larder.Report.Drawing;
using Larder.Tuner.Bench;

namespace Larder.Lab.Story;

/// <content>The experiments with our client. They use its unary transport if the published client had no other.</content>
internal static partial class StoryPlan
{
    /// <summary>The lines of the graph of callers.</summary>
    public const string WithoutCap = "bare, no cap", WithCap = "Larder, its cap";

    /// <summary>The deadline of the burst, and the short deadline, in ms.</summary>
    public const double BurstDeadlineMs = 1_100, ShortDeadlineMs = 300;

    /// <summary>The lines of the experiment with deadlines.</summary>
    public const string Sdk = "@gomomento/sdk", Ours = "Larder";

    private const int Burst = 3_000;
    private const int BurstCap = 100, SmallCap = 10;

    private static PlannedStep Callers(string client, int most) => new(
        "callers",
        "Five to five thousand callers",
        "How many at once is best, and what does a cap inside the client change beyond that?",
        $"The bare library, {LibraryOf(client)}, as it comes, no cap; beside it our client over its unary transport with the cap of Configurations.Laptop: "
            + "callers beyond it wait inside the client, and that waiting counts.",
        "callers",
        [
            .. UpTo(most, 5, 10, 25, 50, 100, 200, 1_000, Many).SelectMany(callers => new[]
            {
                Bare(client, $"{CallersText(callers)}, {WithoutCap}", callers) with
                {
                    Series = WithoutCap,
                    Published = Where(
                        client == "python" && (callers is PublishedFigures.BestFrom or PublishedFigures.BestTo),
                        new("best between 50 and 100")),
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
            Published = Where(loop == "uvloop" && transport == "unary", new("about 10 % more calls a second")),
        };
        return new(
            "loops",
            "asyncio and uvloop",
            "What does another event loop bring?",
            $"Our client with {CallersText(callers)} and a cap of as many, over both transports; what was published was unary.",
            null,
            [Load("unary", "asyncio"), Load("unary", "uvloop"), Load("pipeline", "asyncio"), Load("pipeline", "uvloop")]);
    }

    private static PlannedStep Deadline(string client, int most)
    {
        int callers = Math.Min(Burst, most);
        bool same = callers == Burst;
        StoryLoad Load(string name, string? peer, double deadlineMs, Cap cap) => new()
        {
            Name = $"{name}, {(cap.Kind == CapKind.Off ? "no cap" : $"a cap of {cap}")}, {Count((int)deadlineMs)} ms",
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
            Load(Sdk, "momento", BurstDeadlineMs, off) with { Published = Where(same, new("all time out")) },
            Load(Sdk, "momento", BurstDeadlineMs, burst) with { Published = Where(same, new("none times out")) },
            Load(Sdk, "momento", ShortDeadlineMs, small) with { Published = Where(same, new("the slowest waited 4,562 ms")) },
        ];
        return new(
            "deadline",
            "Deadlines under more callers than can be served",
            "Does a call end by its deadline, and do calls that could be answered in time time out?",
            $"{CallersText(callers)}, each calls, waits, calls again; deadlines of 1,100 and 300 ms. "
                + (client == "node" ? "The published SDK (@gomomento/sdk), the bare library" : $"The bare library, {LibraryOf(client)}")
                + ", and our client over its unary transport, where waiting for the cap is inside the deadline.",
            null,
            [
                .. client == "node" ? sdk : [],
                Load(LibraryOf(client), PlainAgentOf(client), BurstDeadlineMs, off),
                Load(Ours, null, BurstDeadlineMs, off),
                Load(Ours, null, BurstDeadlineMs, burst),
                Load(Ours, null, ShortDeadlineMs, small),
            ]);
    }

    /// <summary>Returns the x position of a load with a deadline: the deadline in ms plus the cap, 0 for none.</summary>
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
            "Several processes side by side",
            "Do more processes get more done than one?",
            $"Our client over its unary transport, Configurations.InRegion.Default, {CallersText(Math.Min(Few, most))} in each of 1, 2 and 4 processes, on the "
                + "same machine as the server. Calls a second of all together.",
            "processes",
            [Load(1), Load(2), Load(4)]);
    }

    private static PlannedStep OfLaptop(string client, int most) => new(
        "laptop",
        "From a laptop: 30 ms there and back",
        "How many in flight are right where the way is long?",
        "Our client over its unary transport, Configurations.Laptop, 30 ms there and back by the delay proxy; in flight N is N callers with the cap set to N.",
        "in flight",
        [
            .. UpTo(most, 10, 25, 50, 100, 200, 500, 1_000)
                .Select(count => InFlight(count, "laptop") with { Delay = Laptop, Published = AtLaptop(client, count) }),
        ]);

    private static PlannedStep OfRegion(string client, int most) => new(
        "region",
        "In the server's region: 1 ms there and back",
        "How many in flight are right beside the server?",
        "Our client over its unary transport, Configurations.InRegion.Default, 1 ms there and back by the delay proxy; in flight N is N callers with the cap "
            + "set to N. What was published ran on a 16-core machine beside the service.",
        "in flight",
        [
            .. UpTo(most, 2, 5, 10, 25, 50, 100, 200)
                .Select(count => InFlight(count, "inRegion.default") with { Delay = Region, Published = InRegion(client, count) }),
        ]);

    private static StoryLoad InFlight(int count, string configuration) => new()
    {
        Name = $"{Count(count)} in flight",
        X = count,
        Callers = count,
        Cap = new(CapKind.Number, count),
        Configuration = configuration,
    };

    private static Published? AtLaptop(string client, int count) => (client, count) switch
    {
        ("node", 100) => new("about 5,000/s, p99.9 39 ms", PublishedFigures.LaptopRate, PublishedFigures.LaptopP999Us),
        ("node", 200) => new("p99.9 292 ms", null, PublishedFigures.LaptopP999AtTwiceUs),
        ("dotnet", 200) => new("11,000/s at about 20 % of the processors", PublishedFigures.DotnetLaptopRate),
        _ => null,
    };

    private static Published? InRegion(string client, int count) =>
        StoryOptions.Targets.Select(target => (Target: target, Figure: PublishedFigures.Target(client, target.LimitUs)))
            .FirstOrDefault(pair => pair.Figure?.InFlight == count) is { Figure: { } figure, Target: { } target }
            ? new($"{Show.Count(figure.RequestsPerSecond)}/s, p99.9 < {Show.ShortUs(target.LimitUs)}", figure.RequestsPerSecond)
            : null;
}
