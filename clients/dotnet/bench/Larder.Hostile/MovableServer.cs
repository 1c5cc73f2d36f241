using Larder.Harness.Processes;
using Larder.Harness.Servers;

namespace Larder.Hostile;

/// <summary>A server process that is paused, stopped and restarted, always on the same port.</summary>
internal sealed class MovableServer(string program) : IDisposable
{
    private static readonly string[] Kinds = ["none", "paused", "stopped", "killed"];

    private ServerProcess? _process;

    public int Port { get; private set; }

    /// <summary>Gets the number of times that each fault was injected.</summary>
    public Dictionary<string, int> FaultCounts { get; } = Kinds.ToDictionary(static kind => kind, static _ => 0);

    public async Task StartAsync()
    {
        _process = await ServerProcess.StartAsync(new ServerProcessOptions { Program = program, Port = Port, Memory = "128m" });
        Port = _process.Endpoint.Port;
    }

    /// <summary>Injects a random fault or no fault. When the method returns, the fault has ended and the server handles calls again.</summary>
    public async Task InjectFaultAsync(Random random)
    {
        string kind = Kinds[random.Next(Kinds.Length)];
        FaultCounts[kind]++;
        if (kind == "none")
        {
            return;
        }

        await Task.Delay(random.Next(500));
        if (kind == "paused")
        {
            _process!.Pause();
            await Task.Delay(random.Next(1_500));
            _process.Resume();
            return;
        }

        _process!.Signal(kind == "killed" ? Signals.Kill : Signals.Terminate);
        await _process.WaitForExitAsync();
        _process.Dispose();
        await Task.Delay(random.Next(3_000));
        await StartAsync();
    }

    public void Dispose() => _process?.Dispose();
}
