using System.CommandLine;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>The command that prints the server's statistics from its console.</summary>
internal static class StatsCommand
{
    public static Command Create()
    {
        ConsoleOption console = new();
        Option<bool> json = new("--json") { Description = "Print all statistics as JSON" };
        ExampleCommand command = new("stats", "Prints the server's statistics", "larder stats", "larder stats --json");
        console.AddTo(command);
        command.Add(json);
        command.SetAction((parsed, cancellation) =>
            console.RunAsync(parsed, "stats", (address, http) => PrintAsync(address, http, parsed.GetValue(json), cancellation)));
        return command;
    }

    private static async Task<int> PrintAsync(Uri address, HttpClient http, bool asJson, CancellationToken cancellation)
    {
        using JsonDocument? stats = await new ConsoleReader(http).TryReadAsync(address, cancellation).ConfigureAwait(false);
        return stats is null ? ExitCode.Failed : Output.Say(asJson ? stats.RootElement.GetRawText() : StatsPage.Of(StatsReading.Of(stats.RootElement)));
    }
}
