using System.CommandLine;
using Larder.Tuner.Processes;

namespace Larder.Lab.Soak;

/// <summary>The command <c>larder lab soak</c>: loads a client for a long time while connections are reset and errors are injected.</summary>
internal static class SoakCommand
{
    private static readonly Option<string> s_client = new("--client") { Description = "Client: dotnet, python or node.", DefaultValueFactory = _ => "dotnet" };
    private static readonly Option<string> s_transport = new("--transport")
    {
        Description = "Transport: auto, pipeline or unary.",
        DefaultValueFactory = _ => "auto",
    };
    private static readonly Option<string> s_configuration = new("--configuration")
    {
        Description = "Configuration: laptop, inRegion.default, inRegion.lowLatency or lambda.",
        DefaultValueFactory = _ => "laptop",
    };
    private static readonly Option<double> s_minutes = new("--minutes")
    {
        Description = "Duration of the soak in minutes, 0.1 to 1,440.",
        DefaultValueFactory = _ => 10,
    };
    private static readonly Option<double> s_resets = new("--reset-every")
    {
        Description = "Mean seconds between connection resets, 0.05 to 3,600.",
        DefaultValueFactory = _ => 3,
    };
    private static readonly Option<FileInfo?> s_output = new("--output")
    {
        Description = "Also write the result, with machine, commit, date and command, as Markdown to this file.",
    };

    public static Command Create()
    {
        var command = new Command(
            "soak",
            "Loads a client to 80 % of its best throughput while connections are reset and errors injected; every value is checked. "
                + "The exit code is 1 if a check fails.")
        {
            s_client, s_transport, s_configuration, s_minutes, s_resets, s_output,
        };
        command.SetAction((arguments, _) => CommandExit.OfAsync(() => Read(arguments), options => RunAsync(options, arguments.GetValue(s_output))));
        return command;
    }

    private static SoakOptions Read(ParseResult arguments) => new()
    {
        Client = CommandLine.OneOf(arguments.GetValue(s_client)!, s_client.Name, Agents.Clients),
        Transport = CommandLine.OneOf(arguments.GetValue(s_transport)!, s_transport.Name, "auto", "pipeline", "unary"),
        Configuration = CommandLine.OneOf(arguments.GetValue(s_configuration)!, s_configuration.Name, Agents.Configurations),
        Duration = TimeSpan.FromMinutes(Within(arguments.GetValue(s_minutes), 0.1, 1440, $"{s_minutes.Name} must be 0.1 to 1,440")),
        BetweenResets = TimeSpan.FromSeconds(Within(arguments.GetValue(s_resets), 0.05, 3600, $"{s_resets.Name} must be 0.05 to 3,600")),
    };

    private static double Within(double value, double least, double most, string rule) =>
        value >= least && value <= most ? value : throw new FormatException(rule);

    private static async Task<int> RunAsync(SoakOptions options, FileInfo? output)
    {
        var soak = new SoakRun(options, Console.Error.WriteLine);
        void Write(SoakVerdict verdict, double ratePerSecond, IReadOnlyList<SoakSample> samples)
        {
            if (output is not null)
            {
                File.WriteAllText(output.FullName, SoakReport.Of(CommandLine.Typed(s_output.Name), options, verdict, ratePerSecond, samples));
            }
        }

        Interruption.Keep = () =>
        {
            (double ratePerSecond, IReadOnlyList<SoakSample> seen) = soak.SoFar();
            Write(new SoakVerdict([(false, "interrupted: the soak is incomplete, and the other checks were not run")]), ratePerSecond, seen);
        };
        (SoakVerdict? verdict, double rate, IReadOnlyList<SoakSample>? samples) = await soak.RunAsync().ConfigureAwait(false);
        Interruption.Keep = null;
        foreach ((bool passed, string? check) in verdict.Checks)
        {
            Console.WriteLine($"{(passed ? "pass" : "FAIL")}: {check}");
        }

        Write(verdict, rate, samples);
        return verdict.Passed ? 0 : 1;
    }
}
