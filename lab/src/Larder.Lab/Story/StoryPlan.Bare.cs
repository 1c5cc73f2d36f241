using Larder.Report.Drawing;
using Larder.Tuner.Bench;

namespace Larder.Lab.Story;

/// <content>The experiments with the plain library of a language. The published clients use the channels and connections of this library.</content>
internal static partial class StoryPlan
{
    /// <summary>The number of callers of a naive program, which starts a task for each piece of work.</summary>
    public const int Many = 5_000;

    /// <summary>The number of callers that one connection can serve without extra latency.</summary>
    public const int Few = 50;

    /// <summary>The number of channels that was enough in the published experiment.</summary>
    public const int EnoughChannels = 5;

    // Without a deadline, a plain library would wait forever. The laptop configuration of the Larder client has the same deadline.
    private const double PlainDeadlineMs = 5_000;

    private static StoryLoad Bare(string client, string name, int callers) =>
        new() { Name = name, Callers = callers, X = callers, Peer = PlainAgentOf(client), DeadlineMs = PlainDeadlineMs };

    private static PlannedStep Naive(string client, int most)
    {
        int many = Math.Min(Many, most);
        int few = Math.Max(1, many * Few / Many);
        // Grpc.Net.Client opens further connections automatically, as the published experiment found.
        int? channels = client == "dotnet" ? null : 1;
        Published? published =
            client == "dotnet" ? new("50 connections, very high latency", Connections: Many / PublishedFigures.StreamsPerConnection) : null;
        return new(
            "naive",
            "Many callers on one channel",
            $"How do throughput and latency change from {Count(few)} to {Count(many)} concurrent callers?",
            $"The plain library ({LibraryOf(client)}) with {(channels is null ? "" : "one channel, ")}no concurrency limit and a deadline of 5 s per call.",
            null,
            [
                Bare(client, $"{CallersText(few)}", few) with { Channels = channels },
                Bare(client, $"{CallersText(many)}", many) with { Channels = channels, Published = Where(many == Many, published!) },
            ]);
    }

    private static PlannedStep Channels(string client, int most)
    {
        int callers = Math.Min(Many, most);
        bool far = client == "node";
        string channel = client switch
        {
            "dotnet" => "Each channel is a GrpcChannel with one connection",
            _ => "Each channel has its own subchannel pool (grpc.use_local_subchannel_pool)",
        };
        return new(
            "channels",
            "From 1 to 10 channels",
            $"Do more channels increase the throughput of {Count(callers)} concurrent callers?",
            $"The plain library ({LibraryOf(client)}) with no concurrency limit and a deadline of 5 s per call. {channel}. Requests use the channels in turn."
                + (far ? $" {DelayText(Laptop)}" : ""),
            "channels",
            [
                .. new[] { 1, 2, EnoughChannels, 10 }.Select(channels => Bare(client, channels == 1 ? "1 channel" : $"{channels} channels", callers) with
                {
                    X = channels,
                    Channels = channels,
                    Pool = client == "dotnet" ? null : "local",
                    Delay = far ? Laptop : null,
                    Published = ChannelsPublished(client, channels, callers),
                }),
            ]);
    }

    private static Published? ChannelsPublished(string client, int channels, int callers) => (client, channels) switch
    {
        _ when callers != Many => null,
        ("node", EnoughChannels) => new($"{Show.Ratio(PublishedFigures.ChannelsRate)} the throughput of 1 channel, p50 43 times lower"),
        ("python", 1) => new("one channel is enough"),
        _ => null,
    };

    private static PlannedStep Pool(string client, int most)
    {
        int callers = Math.Min(Many, most);
        StoryLoad Load(string pool) => Bare(client, $"{EnoughChannels} channels, {pool} pool", callers) with
        {
            X = EnoughChannels,
            Series = pool,
            Channels = EnoughChannels,
            Pool = pool,
            Delay = client == "node" ? Laptop : null,
            Published = client == "python" ? Where(pool == "local", new("no effect")) : Where(pool == "shared", new("more channels have no effect")),
        };
        return new(
            "pool",
            "Shared and local subchannel pools",
            "Do channels open their own connections if they share the process's subchannel pool?",
            $"The plain library ({LibraryOf(client)}) with {EnoughChannels} channels, {CallersText(callers)} and no concurrency limit. The pool is shared by "
                + "default, and local to each channel with grpc.use_local_subchannel_pool." + (client == "node" ? $" {DelayText(Laptop)}" : ""),
            null,
            [Load("shared"), Load("local")]);
    }

    private static PlannedStep Connections(int most)
    {
        int[] ladder = [.. UpTo(most, 100, 101, 201, Many)];
        StoryLoad Load(string series, int callers) => Bare("dotnet", $"{CallersText(callers)}, {series}", callers) with { Series = series };
        return new(
            "connections",
            "Connections with and without a concurrency limit",
            "How many connections do concurrent callers open?",
            "Grpc.Net.Client compared with Larder's unary transport. Grpc.Net.Client has its default settings, except that "
                + "EnableMultipleHttp2Connections is true. Larder runs without a concurrency limit, and with a limit of 200 as in Configurations.Laptop. "
                + "The server counts the connections.",
            AcrossCallers,
            [
                .. ladder.SelectMany(callers => new[]
                {
                    Load(Uncapped, callers) with { Published = new(ConnectionsText(callers), Connections: ConnectionsFor(callers)) },
                    Load(OursUncapped, callers) with { Peer = null, Cap = new(CapKind.Off) },
                    Load(OursCapped, callers) with { Peer = null },
                }),
            ]);
    }

    /// <summary>The names of the lines in the graph of connections.</summary>
    public const string Uncapped = "Grpc.Net.Client, no limit", OursUncapped = "Larder, limit off", OursCapped = "Larder, limit on";

    private static double ConnectionsFor(int callers) => Math.Ceiling(callers / (double)PublishedFigures.StreamsPerConnection);

    private static string ConnectionsText(int callers) => ConnectionsFor(callers) is 1 ? "1 connection" : $"{ConnectionsFor(callers)} connections";
}
