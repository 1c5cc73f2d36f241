using System.CommandLine;

namespace Larder.Lab.Fleet;

/// <summary>The commands <c>larder lab fleet-soak</c> and <c>larder lab fleet-faults</c>.</summary>
internal static class FleetCommands
{
    private static readonly TimeSpan s_shortStop = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_longStop = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan s_cut = TimeSpan.FromSeconds(10);

    private static readonly Option<double> s_minutes = new("--minutes") { Description = "Duration of the soak in minutes.", DefaultValueFactory = _ => 10 };
    private static readonly Option<FileInfo?> s_output = new("--output") { Description = "Also write the result as Markdown to this file." };
    private static readonly Argument<string[]> s_rows = new("rows")
    {
        Description = "Faults to run, S5a to S5j; the default is all.",
        DefaultValueFactory = _ => [],
    };

    /// <summary>Creates the soak command.</summary>
    public static Command Soak()
    {
        var command = new Command(
            "fleet-soak",
            "Runs a fleet under load and verifies every response. Every minute, a replica takes over, slots are moved, and a gateway is killed.")
        {
            s_minutes, s_output,
        };
        command.SetAction(async (arguments, cancelled) =>
        {
            TimeSpan duration = TimeSpan.FromMinutes(Math.Clamp(arguments.GetValue(s_minutes), 0.1, 1440));
            FleetSoakResult result = await new FleetSoak(duration, Console.Error.WriteLine).RunAsync().ConfigureAwait(false);
            foreach ((bool passed, string check) in result.Checks)
            {
                Console.WriteLine($"{(passed ? "pass" : "FAIL")}: {check}");
            }

            if (arguments.GetValue(s_output) is { } output)
            {
                await File.WriteAllTextAsync(output.FullName, result.ToMarkdown(CommandLine.Typed(s_output.Name)), cancelled).ConfigureAwait(false);
            }

            return result.Passed ? 0 : 1;
        });
        return command;
    }

    /// <summary>Creates the command for the fault scenarios of docs/faults.md that concern a fleet.</summary>
    public static Command Faults()
    {
        var command = new Command(
            "fleet-faults",
            "Injects the faults S5a to S5j into a fleet and measures their cost. The exit code is 1 if a requirement is violated.")
        {
            s_rows,
        };
        command.SetAction(async (arguments, _) => await RunAsync(arguments.GetValue(s_rows)!).ConfigureAwait(false) ? 0 : 1);
        return command;
    }

    private static async Task<bool> RunAsync(string[] rows)
    {
        bool isWanted(string row) => rows.Length == 0 || rows.Contains(row, StringComparer.OrdinalIgnoreCase);
        (string Row, Func<FleetUnderTest, Task<FaultResult>> Run)[] all =
        [
            ("S5a", MasterFaults.KilledAsync),
            ("S5b", fleet => MasterFaults.StoppedAsync(fleet, s_shortStop)),
            ("S5b", fleet => MasterFaults.StoppedAsync(fleet, s_longStop)),
            ("S5c", fleet => SlotFaults.ReshardedAsync(fleet, 300)),
            ("S5d", fleet => SlotFaults.AddAndRemoveNodeAsync(fleet, 200)),
            ("S5e", _ => NodeFaults.OutOfMemoryAsync()),
            ("S5f", _ => NodeFaults.RefusedAsync()),
            ("S5h", GatewayFaults.KilledAsync),
            ("S5i", fleet => GatewayFaults.CutOffAsync(fleet, s_cut)),
            ("S5j", fleet => GatewayFaults.FlushedAsync(fleet, 10)),
            ("S5g", MasterFaults.AllDownAsync),
        ];
        bool isPassed = true;
        await using FleetUnderTest fleet = await FleetUnderTest.StartAsync().ConfigureAwait(false);
        foreach ((_, Func<FleetUnderTest, Task<FaultResult>> run) in all.Where(row => isWanted(row.Row)))
        {
            FaultResult result = await run(fleet).ConfigureAwait(false);
            Console.WriteLine(result);
            isPassed &= result.Passed;
        }

        return isPassed;
    }
}
