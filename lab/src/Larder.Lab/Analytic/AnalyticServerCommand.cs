using System.CommandLine;

namespace Larder.Lab.Known;

/// <summary>The command <c>known-server</c>: runs the server with known parameters as a separate process, for <c>larder lab known</c>.</summary>
internal static class AnalyticServerCommand
{
    /// <summary>The text that is printed when the server listens. The endpoint follows it.</summary>
    public const string Ready = "known server on ";

    private static readonly Option<int> s_parallelism = new("--parallelism") { DefaultValueFactory = _ => 10 };
    private static readonly Option<double> s_service = new("--service-seconds") { DefaultValueFactory = _ => 0.010 };
    private static readonly Option<double> s_stallEvery = new("--stall-every-seconds");
    private static readonly Option<double> s_stallFor = new("--stall-for-seconds");

    /// <summary>Creates the hidden command.</summary>
    public static Command Create()
    {
        var command = new Command("known-server", "Runs a server whose throughput and latency can be computed.")
        {
            s_parallelism,
            s_service,
            s_stallEvery,
            s_stallFor,
        };
        command.Hidden = true;
        command.SetAction(
            (arguments, stop) =>
                RunAsync(
                    new AnalyticSchedule(
                        arguments.GetValue(s_parallelism),
                        arguments.GetValue(s_service),
                        arguments.GetValue(s_stallEvery),
                        arguments.GetValue(s_stallFor)),
                    stop));
        return command;
    }

    private static async Task<int> RunAsync(AnalyticSchedule schedule, CancellationToken stop)
    {
        await using var server = AnalyticServer.Start(schedule);
        Console.WriteLine(Ready + server.Endpoint);
        await Task.Delay(Timeout.Infinite, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return 0;
    }
}
