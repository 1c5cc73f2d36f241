using System.Text.RegularExpressions;

namespace Larder.Tuner.Processes;

/// <summary>An embedded <c>larder serve</c> on free ports.</summary>
internal sealed partial class LarderServer : IBackend
{
    private readonly ChildProcess _process;
    private readonly StatsPage _stats;
    private readonly Task _draining;

    private LarderServer(ChildProcess process, string startLine, string endpoint, Uri console)
    {
        _process = process;
        StartLine = startLine;
        Endpoint = endpoint;
        _stats = new StatsPage(new Uri(console, "/stats"));
        _draining = process.Output.BaseStream.CopyToAsync(Stream.Null);
    }

    /// <inheritdoc/>
    public string Endpoint { get; }

    /// <summary>What it said when it was ready.</summary>
    public string StartLine { get; }

    /// <inheritdoc/>
    public int? ProcessId => _process.Id;

    /// <summary>Starts one with 1 GiB of memory and more arguments.</summary>
    /// <exception cref="TunerException">It ended before it listened.</exception>
    public static Task<LarderServer> StartAsync(params string[] more) => StartAtAsync(0, more);

    /// <summary>The same at a port that is known, or 0.</summary>
    /// <exception cref="TunerException">It ended before it listened.</exception>
    public static Task<LarderServer> StartAtAsync(int port, params string[] more) => StartProgramAsync(Programs.Server, port, more);

    /// <summary>The same of another program, such as another checkout's.</summary>
    /// <exception cref="TunerException">It ended before it listened.</exception>
    public static async Task<LarderServer> StartProgramAsync(string program, int port, params string[] more)
    {
        string[] arguments = [program, "--port", $"{port}", "--console-port", "0", "--memory", "1g", .. more];
        var process = ChildProcess.Start("the server", "dotnet", arguments);
        while (await process.Output.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (Listening().Match(line) is { Success: true } match)
            {
                return new LarderServer(process, line, match.Groups["endpoint"].Value, new Uri(match.Groups["console"].Value));
            }
        }

        TunerException failure = await process.FailureAsync("it ended before it listened").ConfigureAwait(false);
        await process.DisposeAsync().ConfigureAwait(false);
        throw failure;
    }

    /// <inheritdoc/>
    public Task<ServerStats?> StatsAsync() => _stats.ReadAsync();

    /// <summary>Sends it a signal.</summary>
    public void Signal(int number) => _process.Signal(number);

    /// <summary>Asks it to shut down; its exit code.</summary>
    public Task<int> StopAsync() => _process.StopAsync();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _process.StopAsync().ConfigureAwait(false);
        await _draining.ConfigureAwait(false);
        await _process.DisposeAsync().ConfigureAwait(false);
        _stats.Dispose();
    }

    [GeneratedRegex(@"listening on https?://(?<endpoint>\S+) console (?<console>http://\S+)")]
    private static partial Regex Listening();
}
