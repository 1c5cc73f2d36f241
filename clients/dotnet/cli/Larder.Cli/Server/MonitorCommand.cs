using System.CommandLine;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>The command that prints calls as they arrive. On a busy server it prints a sample.</summary>
internal static class MonitorCommand
{
    // Five times a second: the server buffers only the calls that it samples in that time.
    private static readonly TimeSpan s_every = TimeSpan.FromMilliseconds(200);

    public static Command Create()
    {
        ConsoleOption console = new();
        Option<long?> count = new("--count") { Description = "Calls; left out: until Ctrl+C", CustomParser = static result => Number.Whole(result) };
        Option<string?> cache = new("--cache") { Description = "Calls on this cache alone" };
        Option<bool> json = new("--json") { Description = "A JSON object a line, keys in base64" };
        ExampleCommand command = new(
            "monitor",
            "Prints calls as they are made, of a busy server a sample: time, cache, call, key, how long it ran; never values",
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
