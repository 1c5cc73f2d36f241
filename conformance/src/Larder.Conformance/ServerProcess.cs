using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Larder.Conformance;

/// <summary>A server that the runner started, on a free port; it ends with the runner.</summary>
internal sealed partial class ServerProcess : IAsyncDisposable
{
    private readonly Process _process;

    private ServerProcess(Process process, string endpoint)
    {
        _process = process;
        Endpoint = endpoint;
    }

    /// <summary>host:port, as the server's start line says it.</summary>
    public string Endpoint { get; }

    /// <summary>Starts the command with free ports and fault injection, and waits for its start line.</summary>
    public static async Task<ServerProcess> StartAsync(IReadOnlyList<string> command, IReadOnlyList<string> more)
    {
        string[] arguments = [.. command.Skip(1), "--port", "0", "--console-port", "0", "--fault-injection", .. more];
        Process process = Process.Start(new ProcessStartInfo(command[0], arguments) { RedirectStandardOutput = true, RedirectStandardError = true })
            ?? throw new InvalidOperationException($"{command[0]} did not start");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        while (await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)).ConfigureAwait(false) is { } line)
        {
            if (StartLine().Match(line) is { Success: true } start)
            {
                _ = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null);
                return new ServerProcess(process, start.Groups[1].Value);
            }
        }

        throw new InvalidOperationException($"the server ended before it listened: {await errors.ConfigureAwait(false)}");
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync().ConfigureAwait(false);
        _process.Dispose();
    }

    [GeneratedRegex(@"listening on https?://(\S+:\d+)")]
    private static partial Regex StartLine();
}
