using Larder.Report.Drawing;
using Larder.Tuner.Bench;

namespace Larder.Lab.Story;

/// <content>The experiments with a language's bare gRPC library, on whose channels and connections the published clients are based.</content>
internal static partial class StoryPlan
{
    /// <summary>The number of callers if a program starts a task for each piece of work.</summary>
    public const int Many = 5_000;

    /// <summary>The number of callers that one connection carries well.</summary>
    public const int Few = 50;

    /// <summary>The number of channels that was found to be enough.</summary>
    public const int EnoughChannels = 5;

    // Without a deadline a bare library would wait forever. Our client has this deadline in the laptop configuration.
    private const double PlainDeadlineMs = 5_000;

    private static StoryLoad Bare(string client, string name, int callers) =>
        new() { Name = name, Callers = callers, X = callers, Peer = PlainAgentOf(client), DeadlineMs = PlainDeadlineMs };

    private static PlannedStep Naive(string client, int most)
    {
        int many = Math.Min(Many, most);
        int few = Math.Max(1, many * Few / Many);
        // HttpClient opens further connections by itself, as the published experiment found.
        int? channels = client == "dotnet" ? null : 1;
        Published? published =
            client == "dotnet" ? new("50 connections, latency that explodes", Connections: Many / PublishedFigures.StreamsPerConnection) : null;
        return new(
            "naive",
            "Five thousand callers on one channel",
            $"What do {CallersText(many)} at once get that {Count(few)} do not?",
            $"The bare library, {LibraryOf(client)}, no cap{(channels is null ? "" : ", one channel")}, a deadline of 5 s; each caller calls, waits, calls "
                + "again.",
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
        string how = client switch
        {
            "dotnet" => "so many HttpClients of one connection each",
            "python" => "grpcio, each channel with a pool of subchannels of its own (grpc.use_local_subchannel_pool)",
            _ => "grpc-js, each channel with a pool of subchannels of its own (grpc.use_local_subchannel_pool), as from a laptop: 30 ms there and back by the "
                + "delay proxy",
        };
        return new(
            "channels",
            "One to ten channels",
            $"Do more channels help {CallersText(callers)}?",
            $"The bare library: {how}; calls go to them in turn; no cap, a deadline of 5 s.",
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
        ("node", EnoughChannels) => new($"{Show.Ratio(PublishedFigures.ChannelsRate)} one channel's calls a second, p50 a 43rd of it"),
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
            Published = client == "python" ? Where(pool == "local", new("changes nothing")) : Where(pool == "shared", new("channels do not help")),
        };
        return new(
            "pool",
            "A shared and a local pool of subchannels",
            "Are channels that share the process's pool of subchannels channels at all?",
            $"The bare library, {LibraryOf(client)}: {EnoughChannels} channels, {CallersText(callers)}, no cap"
                + (client == "node" ? ", 30 ms there and back by the delay proxy" : "") + "; with grpc.use_local_subchannel_pool and without.",
            null,
            [Load("shared"), Load("local")]);
    }

    private static PlannedStep Connections(int most)
    {
        int[] ladder = [.. UpTo(most, 100, 101, 201, Many)];
        StoryLoad Load(string series, int callers) => Bare("dotnet", $"{CallersText(callers)}, {series}", callers) with { Series = series };
        return new(
            "connections",
            "Connections, with the cap off and on",
            "How many connections does a caller's habit open?",
            "100, 101, 201 and 5,000 callers. HttpClient as it comes but for EnableMultipleHttp2Connections; our client over its unary transport, its cap "
                + "off and on (200, as in Configurations.Laptop). Connections as the server counts them.",
            "callers",
            [
                .. ladder.SelectMany(callers => new[]
                {
                    Load(Uncapped, callers) with { Published = new(ConnectionsText(callers), Connections: ConnectionsFor(callers)) },
                    Load(OursUncapped, callers) with { Peer = null, Cap = new(CapKind.Off) },
                    Load(OursCapped, callers) with { Peer = null },
                }),
            ]);
    }

    /// <summary>The lines of the graph of connections.</summary>
    public const string Uncapped = "HttpClient, no cap", OursUncapped = "Larder, cap off", OursCapped = "Larder, its cap";

    private static double ConnectionsFor(int callers) => Math.Ceiling(callers / (double)PublishedFigures.StreamsPerConnection);

    private static string ConnectionsText(int callers) => ConnectionsFor(callers) is 1 ? "1 connection" : $"{ConnectionsFor(callers)} connections";
}
