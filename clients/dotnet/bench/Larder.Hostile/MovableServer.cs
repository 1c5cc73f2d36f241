using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Larder.Hostile;

/// <summary>A server of its own process that is paused, stopped and started again, always on one port.</summary>
internal sealed partial class MovableServer(string program) : IDisposable
{
    private static readonly string[] Kinds = ["none", "paused", "stopped", "killed"];

    private Process? _process;

    public int Port { get; private set; }

    /// <summary>How often each trouble was made.</summary>
    public Dictionary<string, int> Troubles { get; } = Kinds.ToDictionary(static kind => kind, static _ => 0);

    public async Task StartAsync()
    {
        ProcessStartInfo start = new("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string argument in (string[])[program, "--port", $"{Port}", "--console-port", "0", "--memory", "128m"])
        {
            start.ArgumentList.Add(argument);
        }

        TaskCompletionSource<int> port = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, line) =>
        {
            if (Listening().Match(line.Data ?? "") is { Success: true } listening)
            {
                port.TrySetResult(int.Parse(listening.Groups[1].ValueSpan, System.Globalization.CultureInfo.InvariantCulture));
            }
        };
        _process.BeginErrorReadLine();
        _process.BeginOutputReadLine();
        Port = await port.Task.WaitAsync(TimeSpan.FromSeconds(30));
    }

    /// <summary>Makes a trouble, or none, and ends it again: the server then serves.</summary>
    public async Task TroubleAsync(Random random)
    {
        string kind = Kinds[random.Next(Kinds.Length)];
        Troubles[kind]++;
        if (kind == "none")
        {
            return;
        }

        await Task.Delay(random.Next(500));
        if (kind == "paused")
        {
            await SignalAsync("STOP");
            await Task.Delay(random.Next(1_500));
            await SignalAsync("CONT");
            return;
        }

        await EndAsync(kind == "killed" ? "KILL" : "TERM");
        await Task.Delay(random.Next(3_000));
        await StartAsync();
    }

    public void Dispose()
    {
        _process?.Kill();
        _process?.WaitForExit();
        _process?.Dispose();
    }

    private async Task EndAsync(string signal)
    {
        await SignalAsync(signal);
        await _process!.WaitForExitAsync();
        _process.Dispose();
    }

    private async Task SignalAsync(string signal)
    {
        using Process kill = Process.Start("kill", [$"-{signal}", $"{_process!.Id}"]);
        await kill.WaitForExitAsync();
    }

    [GeneratedRegex(@"listening on http://\S+:(\d+)")]
    private static partial Regex Listening();
}
