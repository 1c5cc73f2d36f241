using System.CommandLine;
using System.Text.Json;

namespace Larder.Cli;

/// <summary>The command that prints one line per interval with the changes of the statistics in that interval.</summary>
internal static class StatCommand
{
    // The number of lines after which the heading is repeated, as in vmstat, so that a heading is always visible on the screen.
    private const int LinesPerHeading = 20;

    public static Command Create()
    {
        ConsoleOption console = new();
        Option<TimeSpan?> every = new("--every")
        {
            Description = "Seconds between lines (default 1)",
            HelpName = "seconds",
            CustomParser = Number.Seconds,
        };
        Option<long?> count = new("--count")
        {
            Description = "Maximum number of lines to print (default: unlimited, until Ctrl+C)",
            CustomParser = static result => Number.Whole(result),
        };
        ExampleCommand command = new(
            "stat",
            "Prints statistics repeatedly, one line each time: calls, hits, latency, memory",
            "larder stat",
            "larder stat --every 5 --count 12");
        console.AddTo(command);
        command.Add(every);
        command.Add(count);
        command.SetAction((parsed, cancellation) =>
            console.RunAsync(
                parsed,
                "stats",
                (address, http) =>
                    PrintAsync(
                        address,
                        new ConsoleReader(http),
                        parsed.GetValue(every) ?? TimeSpan.FromSeconds(1),
                        parsed.GetValue(count) ?? long.MaxValue,
                        cancellation)));
        return command;
    }

    private static async Task<int> PrintAsync(Uri address, ConsoleReader reader, TimeSpan every, long count, CancellationToken cancellation)
    {
        using PeriodicTimer timer = new(every);
        StatsReading? before = await ReadAsync(reader, address, cancellation).ConfigureAwait(false);
        for (long line = 0; before is not null && line < count; line++)
        {
            if (line % LinesPerHeading == 0)
            {
                Output.Say(StatLine.Heading);
            }

            await timer.WaitForNextTickAsync(cancellation).ConfigureAwait(false);
            StatsReading? now = await ReadAsync(reader, address, cancellation).ConfigureAwait(false);
            if (now is not null)
            {
                Output.Say(StatLine.Of(before, now));
            }

            before = now;
        }

        return before is null ? ExitCode.Failed : ExitCode.Done;
    }

    private static async Task<StatsReading?> ReadAsync(ConsoleReader reader, Uri address, CancellationToken cancellation)
    {
        using JsonDocument? stats = await reader.TryReadAsync(address, cancellation).ConfigureAwait(false);
        return stats is null ? null : StatsReading.Of(stats.RootElement);
    }
}
