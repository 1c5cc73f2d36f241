using System.Globalization;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Known;

/// <summary>The known server as a child process: this program's own <c>known-server</c>.</summary>
internal sealed class KnownProcess : IBackend
{
    private readonly ChildProcess _process;

    private KnownProcess(ChildProcess process, string endpoint) => (_process, Endpoint) = (process, endpoint);

    /// <inheritdoc/>
    public string Endpoint { get; }

    /// <inheritdoc/>
    public int? ProcessId => _process.Id;

    /// <summary>Starts one.</summary>
    /// <exception cref="TunerException">It ended before it listened.</exception>
    public static async Task<KnownProcess> StartAsync(int parallelism, double service, double stallEvery = 0, double stallFor = 0)
    {
        string[] arguments =
        [
            "--parallelism",
            Text(parallelism),
            "--service-seconds",
            Text(service),
            "--stall-every-seconds",
            Text(stallEvery),
            "--stall-for-seconds",
            Text(stallFor),
        ];
        var process = ChildProcess.Start("the known server", "dotnet", [typeof(KnownProcess).Assembly.Location, "known-server", .. arguments]);
        string? line = await process.Output.ReadLineAsync().ConfigureAwait(false);
        if (line?.StartsWith(KnownServerCommand.Ready, StringComparison.Ordinal) == true)
        {
            return new KnownProcess(process, line[KnownServerCommand.Ready.Length..]);
        }

        TunerException failure = await process.FailureAsync($"it said {line}").ConfigureAwait(false);
        await process.DisposeAsync().ConfigureAwait(false);
        throw failure;
    }

    /// <inheritdoc/>
    public Task<ServerStats?> StatsAsync() => Task.FromResult<ServerStats?>(null);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);
}
