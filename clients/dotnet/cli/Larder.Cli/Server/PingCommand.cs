using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The command that checks whether a server responds, and measures the response time.</summary>
internal sealed class PingCommand(Clients clients)
{
    public Command Create()
    {
        Option<long> count = new("--count") { Description = "Number of pings", DefaultValueFactory = static _ => 1, CustomParser = Number.Count };
        Option<TimeSpan?> interval = new("--interval")
        {
            Description = "Seconds between pings (default 1)",
            HelpName = "seconds",
            CustomParser = Number.Seconds,
        };
        ExampleCommand command = new(
            "ping",
            "Sends pings to the server and prints the response times; fails if a response is missing",
            "larder ping",
            "larder ping --count 10 --interval 0.5 --server cache.example:8080")
        {
            count,
            interval,
        };
        Connection connection = new(clients);
        connection.AddTo(command, withCache: false);
        command.SetAction((parsed, cancellation) => connection.RunAsync(
            parsed,
            (client, _) => RunAsync(client, parsed.GetValue(count), parsed.GetValue(interval) ?? TimeSpan.FromSeconds(1), cancellation)));
        return command;
    }

    private static async Task<int> RunAsync(CacheClient client, long count, TimeSpan interval, CancellationToken cancellation)
    {
        int code = ExitCode.Done;
        for (long number = 0; number < count; number++)
        {
            if (number > 0)
            {
                await Task.Delay(interval, cancellation).ConfigureAwait(false);
            }

            long startedAt = Stopwatch.GetTimestamp();
            CacheResult answer = await client.PingAsync(cancellation).ConfigureAwait(false);
            double ms = Stopwatch.GetElapsedTime(startedAt).TotalMilliseconds;
            cancellation.ThrowIfCancellationRequested();
            code = answer is { Error: { } error }
                ? Output.Fail(error)
                : Math.Max(code, Output.Say(string.Create(CultureInfo.InvariantCulture, $"response after {ms:0.00} ms")));
        }

        return code;
    }
}
