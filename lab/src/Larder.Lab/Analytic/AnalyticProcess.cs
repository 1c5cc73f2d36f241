using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab.Known;

/// <summary>The server with known parameters as a child process. The process runs the <c>known-server</c> command of this program.</summary>
internal static partial class AnalyticProcess
{
    /// <summary>Starts a server.</summary>
    /// <exception cref="Harness.HarnessException">The server exited before it listened.</exception>
    public static async Task<Backend> StartAsync(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
    {
        string[] arguments =
        [
            "lab",
            "known-server",
            "--parallelism",
            Text(parallelism),
            "--service-seconds",
            Text(service),
            "--stall-every-seconds",
            Text(stallEvery),
            "--stall-for-seconds",
            Text(stallFor),
        ];
        var server = ChildProcess.Start(ProgramCommand.Dotnet("the known server", typeof(AnalyticProcess).Assembly.Location, arguments));
        Match ready = await server.ReadyAsync(Ready()).ConfigureAwait(false);
        return new Backend(ready.Groups[1].Value, server.Id, null, server);
    }

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex($"^{AnalyticServerCommand.Ready}(.*)$")]
    private static partial Regex Ready();
}
