using System.CommandLine;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>The command that prints calls as they arrive. On a busy server it prints a sample.</summary>
internal static class MonitorCommand
{
    // The polling interval. It is short because the server buffers only a limited number of sampled calls.
    private static readonly TimeSpan s_every = TimeSpan.FromMilliseconds(200);

    public static Command Create()
    {
        ConsoleOption console = new();
        Option<long?> count = new("--count")
        {
            Description = "Maximum number of calls to print (default: unlimited, until Ctrl+C)",
            CustomParser = static result => Number.Whole(result),
        };
        Option<string?> cache = new("--cache") { Description = "Print only calls to this cache" };
        Option<bool> json = new("--json") { Description = "Print one JSON object per line, with keys in base64" };
        ExampleCommand command = new(
            "monitor",
            "Prints calls as they happen (a sample if the server is busy): time, cache, call, key and duration, never values",
            "larder monitor",
            "larder monitor --cache sessions --count 100")
        {
            count,
            cache,
            json,
        };
        console.AddTo(command);
        command.SetAction((parsed, cancellation) =>
        {
            MonitorLines lines = new(parsed.GetValue(cache), parsed.GetValue(json), parsed.GetValue(count) ?? long.MaxValue);
            return console.RunAsync(parsed, "api/monitor", (address, http) => PrintAsync(address, new ConsoleReader(http), lines, cancellation));
        });
        return command;
    }

    private static async Task<int> PrintAsync(Uri address, ConsoleReader reader, MonitorLines lines, CancellationToken cancellation)
    {
        using PeriodicTimer timer = new(s_every);
        while (lines.AreWanted)
        {
            using JsonDocument? answer = await reader.TryReadAsync(new Uri($"{address}?after={lines.Last}"), cancellation).ConfigureAwait(false);
            if (answer is null)
            {
                return ExitCode.Failed;
            }

            foreach (string line in lines.Of(answer.RootElement))
            {
                if (Output.Say(line) is var code && code != ExitCode.Done)
                {
                    return code;
                }
            }

            if (lines.AreWanted)
            {
                await timer.WaitForNextTickAsync(cancellation).ConfigureAwait(false);
            }
        }

        return ExitCode.Done;
    }
}
