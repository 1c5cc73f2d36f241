using System.CommandLine;
using System.Globalization;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;

namespace Larder.Lab.Topics;

/// <summary>
/// The command <c>larder lab topics</c>: measures deliveries per second and their latency, compared with Redis and NATS. Also measures other calls to a server
/// while a topic is busy.
/// </summary>
internal static class TopicBenchCommand
{
    private static readonly TopicBenchOptions s_defaults = new();

    public static Command Create()
    {
        Option<string> subscribers = new("--subscribers") { Description = "Numbers of subscribers, comma-separated.", DefaultValueFactory = _ => "1,100,1000" };
        Option<string> peers = new("--peers")
        {
            Description = "Servers to measure, comma-separated. The list must contain larder, which is compared with each other server.",
            DefaultValueFactory = _ => string.Join(',', s_defaults.Peers),
        };
        Option<int> rounds = new("--rounds")
        {
            Description = "Rounds per server, 1 to 100; results are medians.",
            DefaultValueFactory = _ => s_defaults.Rounds,
        };
        Option<double> seconds = new("--seconds") { Description = "Measured seconds per round, 0.1 to 600.", DefaultValueFactory = _ => s_defaults.Seconds };
        Option<int> bytes = new("--message-bytes")
        {
            Description = "Message size in bytes, 16 to 1048576.",
            DefaultValueFactory = _ => s_defaults.MessageBytes,
        };
        Option<int> window = new("--window")
        {
            Description = "Messages in flight in the closed loop, 1 to 256; a message is complete when every subscriber has received it.",
            DefaultValueFactory = _ => s_defaults.Window,
        };
        Option<double> fraction = new("--fraction")
        {
            Description = "Rate at which latency is measured, as a share (0.01 to 1) of the slowest server's highest rate.",
            DefaultValueFactory = _ => s_defaults.Fraction,
        };
        Option<double> calls = new("--calls")
        {
            Description = "Calls per second that another client makes while the topic is busy; 0 skips this measurement.",
            DefaultValueFactory = _ => s_defaults.CallsPerSecond,
        };
        Option<FileInfo?> output = new("--output") { Description = "Also append the result as Markdown to this file." };
        Command command = new("topics", "Measures one topic with a publisher and 1 to 1,000 subscribers, compared with Redis PUBLISH and NATS.")
        {
            subscribers,
            peers,
            rounds,
            seconds,
            bytes,
            window,
            fraction,
            calls,
            output,
        };
        command.SetAction((arguments, _) => RunAsync(
            () => new TopicBenchOptions
            {
                Subscribers = [.. arguments.GetValue(subscribers)!.Split(',').Select(static word => Within(Whole(word), 1, 10_000, "--subscribers"))],
                Peers = PeersOf(arguments.GetValue(peers)!),
                Rounds = Within(arguments.GetValue(rounds), 1, 100, "--rounds"),
                Seconds = Within(arguments.GetValue(seconds), 0.1, 600, "--seconds"),
                MessageBytes = Within(arguments.GetValue(bytes), 16, 1 << 20, "--message-bytes"),
                Window = Within(arguments.GetValue(window), 1, 256, "--window"),
                Fraction = Within(arguments.GetValue(fraction), 0.01, 1, "--fraction"),
                CallsPerSecond = Within(arguments.GetValue(calls), 0, 1_000_000, "--calls"),
            },
            arguments.GetValue(output)));
        return command;
    }

    /// <summary>Parses the list of peers. Larder comes first, and duplicates are removed.</summary>
    /// <exception cref="FormatException">A peer is unknown.</exception>
    public static IReadOnlyList<string> PeersOf(string list)
    {
        string[] peers = [.. list.Split(',').Order(Comparer<string>.Create(static (one, other) => (one != "larder").CompareTo(other != "larder"))).Distinct()];
        return peers[0] == "larder" && peers.All(s_defaults.Peers.Contains)
            ? peers
            : throw new FormatException($"--peers must contain larder and may also contain {string.Join(", ", s_defaults.Peers.Skip(1))}");
    }

    private static int Whole(string word) =>
        int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            ? number
            : throw new FormatException($"'{word}' is not a whole number");

    private static T Within<T>(T number, T least, T most, string option)
        where T : IComparable<T> => number.CompareTo(least) >= 0 && number.CompareTo(most) <= 0
        ? number
        : throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"{option} must be {least} to {most}"));

    private static async Task<int> RunAsync(Func<TopicBenchOptions> read, FileInfo? output)
    {
        TopicBenchOptions options;
        try
        {
            options = read();
        }
        catch (FormatException wrong)
        {
            await Console.Error.WriteLineAsync(wrong.Message).ConfigureAwait(false);
            return 2;
        }

        var report = new BenchReport(
            output,
        [
            .. ThisMachine.Fingerprint().Lines(CommandLine.Typed("--output")),
            $"- one topic, one publisher, messages of {options.MessageBytes} bytes; {options.Rounds} alternating rounds of {options.Seconds} s",
            "- each server is a process, and its publisher and subscribers (.NET clients) are another process",
            $"- best deliveries/s: closed loop with {options.Window} messages in flight; a message is complete when every subscriber has received it",
            "- latency: open loop at the same rate for all servers, from the scheduled time of a message to its receipt by each subscriber",
            "- Larder ÷: the figure of Larder divided by that of the other server",
            "",
            .. TopicRow.Head,
        ]);
        List<string> beside = [];
        foreach (int subscribers in options.Subscribers)
        {
            await using TopicTestBed stand = await TopicTestBed.StartAsync(options, subscribers).ConfigureAwait(false);
            IReadOnlyList<TopicRow> rows = await stand.RunAsync(Console.Error.WriteLine).ConfigureAwait(false);
            report.Add(rows.Select(row => row.Line(rows[0])));
            if (options.CallsPerSecond > 0 && subscribers > 1 && beside.Count == 0)
            {
                beside.AddRange(await TopicNeighbour.RunAsync(options, stand.Ours, subscribers, rows[0].Rate, Console.Error.WriteLine).ConfigureAwait(false));
            }
        }

        report.Add(beside.Count > 0 ? ["", "Gets and sets by another process (open loop), with no messages and with the rate above:", "", .. beside] : []);
        report.Write();
        return 0;
    }
}
