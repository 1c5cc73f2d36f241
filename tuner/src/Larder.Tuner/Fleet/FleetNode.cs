using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Larder.Tuner.Processes;

namespace Larder.Tuner.Fleet;

/// <summary>One <c>redis-server</c> of a fleet, with the settings that ship (<c>server/redis.conf</c>): killed, stopped and started again at will.</summary>
internal sealed class FleetNode : IAsyncDisposable
{
    // Of a cluster, its bus is so far above a node's port.
    private const int BusOffset = 10_000;
    private const int Attempts = 3;

    private readonly string _folder;
    private readonly string[] _settings;
    private ChildProcess _process;
    private Task _draining;

    private FleetNode(string folder, int port, string[] settings, ChildProcess process)
    {
        _folder = folder;
        _settings = settings;
        int password = Array.IndexOf(settings, "--requirepass");
        Password = password < 0 ? null : settings[password + 1];
        Port = port;
        _process = process;
        _draining = Drain(process);
    }

    public int Port { get; }

    public string Endpoint => $"127.0.0.1:{Port}";

    /// <summary>The process that it is now.</summary>
    public int ProcessId => _process.Id;

    /// <summary>What it is asked with; null for none.</summary>
    public string? Password { get; set; }

    /// <summary>Starts one on a free port; it answers afterwards.</summary>
    /// <param name="folder">Where its own folder is made.</param>
    /// <param name="settings">More than the settings that ship.</param>
    /// <exception cref="TunerException">It is not installed, or ended at once.</exception>
    public static async Task<FleetNode> StartAsync(string folder, params string[] settings)
    {
        for (int attempt = 1; ; attempt++)
        {
            int port = FreePort();
            string own = Directory.CreateDirectory(Path.Combine(folder, Text(port))).FullName;
            try
            {
                return new FleetNode(own, port, settings, await RunAsync(own, port, settings).ConfigureAwait(false));
            }
            catch (TunerException) when (attempt < Attempts)
            {
                // Between finding a free port and binding it another process may take it.
            }
        }
    }

    /// <summary>What it answers to a command; null where it does not answer.</summary>
    public Task<string?> AskAsync(params string[] words) => NodeQuestion.AskAsync(Port, Password, words);

    /// <summary>SIGKILL; it has ended afterwards.</summary>
    public async Task KillAsync()
    {
        _process.Signal(Signals.Kill);
        await _process.StopAsync().ConfigureAwait(false);
        await _draining.ConfigureAwait(false);
    }

    /// <summary>SIGSTOP.</summary>
    public void Pause() => _process.Signal(Signals.Stop);

    /// <summary>SIGCONT.</summary>
    public void Resume() => _process.Signal(Signals.Continue);

    /// <summary>Starts it again, on its port and in its folder, after <see cref="KillAsync"/>.</summary>
    public async Task RestartAsync()
    {
        await _process.DisposeAsync().ConfigureAwait(false);
        _process = await RunAsync(_folder, Port, _settings).ConfigureAwait(false);
        _draining = Drain(_process);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _process.Signal(Signals.Kill);
        await _process.DisposeAsync().ConfigureAwait(false);
        await _draining.ConfigureAwait(false);
    }

    private static async Task<ChildProcess> RunAsync(string folder, int port, string[] settings)
    {
        string[] arguments =
        [
            Path.Combine(Programs.Root, "server", "redis.conf"), "--port", Text(port), "--bind", "127.0.0.1", "--dir", folder,
            "--repl-diskless-sync-delay", "0", .. settings,
        ];
        var process = ChildProcess.Start($"redis-server {port}", "redis-server", arguments);
        while (await process.Output.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (line.Contains("Ready to accept connections", StringComparison.Ordinal))
            {
                return process;
            }
        }

        TunerException failure = await process.FailureAsync("it ended before it listened").ConfigureAwait(false);
        await process.DisposeAsync().ConfigureAwait(false);
        throw failure;
    }

    private static Task Drain(ChildProcess process) => process.Output.BaseStream.CopyToAsync(Stream.Null);

    private static int FreePort()
    {
        while (true)
        {
            int port = Random.Shared.Next(11_000, 32_000);
            if (IsFree(port) && IsFree(port + BusOffset))
            {
                return port;
            }
        }
    }

    private static bool IsFree(int port)
    {
        using var listener = new TcpListener(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
