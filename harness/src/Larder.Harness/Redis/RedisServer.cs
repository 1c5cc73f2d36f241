using System.Text.RegularExpressions;
using Larder.Harness.Processes;

namespace Larder.Harness.Redis;

/// <summary>
/// A real, in-memory <c>redis-server</c> on a free loopback port, with its own folder. The server can be killed, paused and restarted. It ends with this
/// process.
/// </summary>
public sealed partial class RedisServer : IDisposable, IAsyncDisposable
{
    // Another process may take the free port before the server listens on that port. In this case, the start is retried.
    private const int Attempts = 3;

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-redis-").FullName;
    private readonly string? _file;
    private readonly string[] _settings;
    private ChildProcess _process;

    /// <summary>Starts a server and waits until it accepts connections.</summary>
    /// <param name="settings">Additional command-line settings; <c>{port}</c> is replaced by the server's port.</param>
    /// <exception cref="HarnessException">Redis is not installed, or ended immediately.</exception>
    public RedisServer(params string[] settings)
        : this(settings, null)
    {
    }

    private RedisServer(string[] settings, string? file)
    {
        (_settings, _file) = (settings, file);
        int password = Array.IndexOf(settings, "--requirepass");
        Password = password < 0 ? null : settings[password + 1];
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                Port = FreePorts.Next();
                _process = Run();
                return;
            }
            catch (HarnessException) when (attempt < Attempts)
            {
            }
            catch (HarnessException)
            {
                Directory.Delete(_folder, recursive: true);
                throw;
            }
        }
    }

    /// <summary>Gets the port.</summary>
    public int Port { get; private set; }

    /// <summary>Gets the port on which a cluster node listens for the other nodes.</summary>
    public int BusPort => Port + 10_000;

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint => $"127.0.0.1:{Port}";

    /// <summary>Gets the value for a server's <c>--store</c> option.</summary>
    public string Url => $"redis://{Endpoint}";

    /// <summary>Gets the current process.</summary>
    public ChildProcess Process => _process;

    /// <summary>Gets or sets the password with which commands are sent; null for no password.</summary>
    public string? Password { get; set; }

    /// <summary>Starts a server with a configuration file.</summary>
    /// <exception cref="HarnessException">Redis is not installed, or ended immediately.</exception>
    public static RedisServer WithFile(string file, params string[] settings) => new(settings, file);

    /// <summary>Sends SIGKILL and waits until the server has ended.</summary>
    public void Kill() => _process.Kill();

    /// <summary>Sends SIGSTOP.</summary>
    public void Pause() => _process.Pause();

    /// <summary>Sends SIGCONT.</summary>
    public void Resume() => _process.Resume();

    /// <summary>Starts the server again on the same port, after <see cref="Kill"/>.</summary>
    public void Restart()
    {
        _process.Dispose();
        _process = Run();
    }

    /// <summary>Sends a command and returns the answer, one item per line; null if the server does not answer within 2 s.</summary>
    public Task<string?> AskAsync(params string[] words) => RedisQuery.AskAsync(Port, Password, TimeSpan.FromSeconds(2), words);

    /// <summary>Sends a command and blocks until the answer arrives. Returns an empty text if the server does not answer within the default timeout.</summary>
    public string Ask(params string[] words) => AskAgain(1, words);

    /// <summary>Sends a command several times and returns the last answer.</summary>
    public string AskAgain(int times, params string[] words) =>
        RedisQuery.AskAsync(Port, Password, ChildProcess.Patience, words, times).GetAwaiter().GetResult() ?? "";

    /// <inheritdoc/>
    public void Dispose()
    {
        _process.Dispose();
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    private ChildProcess Run()
    {
        string plain = _settings.Contains("--tls-port") ? "0" : $"{Port}";
        string[] file = _file is null ? [] : [_file];
        string[] own = ["--port", plain, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", _folder];
        string[] words = [.. file, .. own, .. _settings.Select(word => word == "{port}" ? $"{Port}" : word)];
        var process = ChildProcess.Start(new ProgramCommand($"redis-server {Port}", "redis-server", words) { Folder = _folder });
        process.ReadyAsync(Ready()).GetAwaiter().GetResult();
        return process;
    }

    [GeneratedRegex("(?i)ready to accept connections")]
    private static partial Regex Ready();
}
