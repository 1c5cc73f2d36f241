using System.CommandLine;
using Larder.Harness.Agents;
using Larder.Lab.Known;
using Larder.Report.Runs;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Adaptive;

/// <summary>
/// The command <c>larder lab adaptive</c>: compares the adaptive concurrency limit with the best fixed limit. It uses a server for which the best limit can be
/// computed.
/// </summary>
internal static class AdaptiveCommand
{
    private static readonly Option<string> s_client = new("--client") { Description = "Client: dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<string> s_part = new("--part")
    {
        Description = "steady: a reachable target; slow: a server that is eight times slower for 15 s.",
        DefaultValueFactory = _ => "steady",
    };
    private static readonly Option<double> s_target = new("--target-ms")
    {
        Description = "Target for p99.9 in ms. The latency of a call starts when the concurrency limit admits the call.",
        DefaultValueFactory = _ => 40,
    };
    private static readonly Option<int> s_parallelism = new("--parallelism")
    {
        Description = "Number of calls that the server processes concurrently.",
        DefaultValueFactory = _ => 20,
    };
    private static readonly Option<double> s_service = new("--service-ms") { Description = "Service time of each call in ms.", DefaultValueFactory = _ => 10 };
    private static readonly Option<int> s_rounds = new("--rounds")
    {
        Description = "Number of rounds. Each round measures both the fixed and the adaptive limit; results are medians.",
        DefaultValueFactory = _ => 5,
    };
    private static readonly Option<double> s_seconds = new("--seconds")
    {
        Description = "For steady: measured seconds per round.",
        DefaultValueFactory = _ => 6,
    };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also write the result as Markdown to this file." };

    public static Command Create()
    {
        s_client.AcceptOnlyFromAmong("dotnet", "python", "node");
        s_part.AcceptOnlyFromAmong("steady", "slow");
        var command = new Command(
            "adaptive",
            "Compares the adaptive concurrency limit with the best fixed limit, on a server with known service time and parallelism.")
        {
            s_client, s_part, s_target, s_parallelism, s_service, s_rounds, s_seconds, s_output,
        };
        command.SetAction((arguments, _) => RunAsync(arguments));
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments)
    {
        var options = new AdaptiveOptions
        {
            Client = arguments.GetValue(s_client)!,
            Part = arguments.GetValue(s_part)!,
            TargetMs = arguments.GetValue(s_target),
            Parallelism = arguments.GetValue(s_parallelism),
            ServiceMs = arguments.GetValue(s_service),
            Rounds = arguments.GetValue(s_rounds),
            Seconds = arguments.GetValue(s_seconds),
        };
        if (options is { Parallelism: < 1 } or { ServiceMs: <= 0 } or { Rounds: < 1 } or { Seconds: <= 0 } || options.TargetMs < options.ServiceMs)
        {
            await Console
                .Error.WriteLineAsync("parallelism, service time, rounds and seconds must be greater than 0, and the target must be at least the service time")
                .ConfigureAwait(false);
            return 2;
        }

        await using var server = AnalyticServer.Start(options.Parallelism, TimeSpan.FromMilliseconds(options.ServiceMs));
        await using AgentProcess agent = await AgentProcess.StartAsync(Agents.OfClient(options.Client)).ConfigureAwait(false);
        (IReadOnlyList<string>? lines, bool kept) = await new AdaptiveProof(options, new CappedClient(options, server, agent), Console.Error.WriteLine)
            .RunAsync()
            .ConfigureAwait(false);
        string[] report =
        [
            $"# Adaptive concurrency limit of the {options.Client} client compared with the best fixed limit: {options.Part}",
            "",
            .. ThisMachine.Fingerprint().Lines(CommandLine.Typed(s_output.Name)),
            $"- server: on the same machine, over TCP; processes {options.Parallelism} calls concurrently, each for {options.ServiceMs} ms",
            $"- load: {options.Callers} callers over the unary transport; the latency of a call starts when the concurrency limit admits the call",
            "",
            .. lines,
        ];
        Console.WriteLine(string.Join('\n', report));
        if (arguments.GetValue(s_output) is { } output)
        {
            await File.WriteAllLinesAsync(output.FullName, report).ConfigureAwait(false);
        }

        return kept ? 0 : 1;
    }
}
