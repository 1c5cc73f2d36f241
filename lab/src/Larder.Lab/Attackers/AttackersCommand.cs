using System.Collections.Concurrent;
using System.CommandLine;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;
using Larder.Tuner.Machine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Attackers;

/// <summary>The command <c>larder lab attackers</c>: measures how much one tenant affects the other tenants.</summary>
internal static class AttackersCommand
{
    private static readonly Option<double> s_minutes = new("--minutes")
    {
        Description = "Total minutes for measuring the selected attacks. The comparison with well-behaved clients takes the same time again.",
        DefaultValueFactory = _ => 10,
    };
    private static readonly Option<string> s_only = new("--only")
    {
        Description = "Attacks to run, comma-separated; the default is all.",
        DefaultValueFactory = _ => "",
    };
    private static readonly Option<bool> s_list = new("--list") { Description = "List the attacks without running them." };
    private static readonly Option<double> s_seconds = new("--seconds")
    {
        Description = "Seconds of each measurement, 0.5 to 600.",
        DefaultValueFactory = _ => 6,
    };
    private static readonly Option<double> s_rate = new("--rate")
    {
        Description = "Calls per second of the neighbour on each transport, 10 to 100,000.",
        DefaultValueFactory = _ => 1_000,
    };
    private static readonly Option<int> s_nice = new("--nice")
    {
        Description = "Niceness of the attackers and the well-behaved clients, 0 to 19. A high value gives the server priority over them. This is realistic, "
            + "because real clients do not share the server's processors.",
        DefaultValueFactory = _ => 19,
    };
    private static readonly Option<double> s_noiseLimit = new("--noise-limit")
    {
        Description = "Maximum number of processors that other programs and the host may use. If they use more, the measurement is repeated.",
        DefaultValueFactory = _ => 0.1,
    };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also append the result as Markdown to this file." };

    public static Command Create()
    {
        var command = new Command(
            "attackers",
            "Attacks a server that has tokens and a memory limit, and measures a neighbour during each attack. The exit code is 1 if a goal is missed.")
        {
            s_minutes, s_only, s_list, s_seconds, s_rate, s_nice, s_noiseLimit, s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => Read(arguments), options => RunAsync(options, arguments)));
        return command;
    }

    private static AttackersOptions Read(ParseResult arguments) => new AttackersOptions
    {
        Minutes = arguments.GetValue(s_minutes),
        Only = CommandLine.List(arguments.GetValue(s_only)!),
        Seconds = arguments.GetValue(s_seconds),
        RatePerSecond = arguments.GetValue(s_rate),
        Nice = arguments.GetValue(s_nice),
        NoiseLimit = arguments.GetValue(s_noiseLimit),
    }.Validate();

    private static Task<int> RunAsync(AttackersOptions options, ParseResult arguments) => CommandExit.OfAsync(async () =>
    {
        IReadOnlyList<AttackInfo> attacks = options.Choose(await AttacksAsync().ConfigureAwait(false));
        return arguments.GetValue(s_list)
            ? List(attacks)
            : await MeasureAsync(options, attacks, arguments.GetValue(s_output)).ConfigureAwait(false);
    });

    private static int List(IReadOnlyList<AttackInfo> attacks)
    {
        foreach (AttackInfo attack in attacks)
        {
            Console.WriteLine($"{attack.Name,-20}{attack.Description}{(attack.Obstacle is { } obstacle ? $" (skipped here: {obstacle})" : "")}");
        }

        return 0;
    }

    private static async Task<int> MeasureAsync(AttackersOptions options, IReadOnlyList<AttackInfo> attacks, FileInfo? output)
    {
        int rounds = options.Rounds(attacks.Count(attack => attack.Obstacle is null));
        string? obstacle = null;
        var outcomes = new ConcurrentQueue<AttackOutcome>();
        void Write(params string[] end)
        {
            List<string> report =
                [.. ThisMachine.Fingerprint().Lines(CommandLine.Typed(s_output.Name)), "", .. AttackTable.Of(options, rounds, obstacle, [.. outcomes]), .. end];
            Console.WriteLine(string.Join('\n', report));
            if (output is not null)
            {
                File.AppendAllLines(output.FullName, report);
            }
        }

        Interruption.Keep = () => Write("", "Interrupted: this report is incomplete.");
        foreach (AttackInfo attack in attacks)
        {
            AttackProof proof = new(options, rounds, Console.Error.WriteLine);
            (AttackOutcome outcome, string? unlimited) = await proof.RunAsync(attack).ConfigureAwait(false);
            outcomes.Enqueue(outcome);
            obstacle ??= unlimited;
        }

        Interruption.Keep = null;
        Write();
        return outcomes.Any(outcome => outcome.Missed.Count > 0) ? 1 : 0;
    }

    // The endpoint is a dummy, because the attackers' program lists its attacks without connecting to a server.
    private static async Task<IReadOnlyList<AttackInfo>> AttacksAsync()
    {
        await using AgentProcess attacker = await AgentProcess.StartAsync(LabAgents.OfNeighbour("attacker")).ConfigureAwait(false);
        return AttackInfo.From(await attacker.RequireAsync(new JsonObject { ["op"] = "open", ["endpoint"] = "127.0.0.1:1" }).ConfigureAwait(false));
    }
}
