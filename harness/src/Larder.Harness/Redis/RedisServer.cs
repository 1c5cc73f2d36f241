using System.Text.RegularExpressions;
using Larder.Harness.Processes;

namespace Larder.Harness.Redis;

/// <summary>
/// A real <c>redis-server</c> in memory only: a free port of the loopback, a folder of its own; killed, paused and started again at will, and ended by its
/// process.
/// </summary>
public sealed partial class RedisServer : IDisposable, IAsyncDisposable
{
    // Between finding a free port and binding it another process may take it.
    private const int Attempts = 3;

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-redis-").FullName;
    private readonly string? _file;
    private readonly string[] _settings;
    private ChildProcess _process;

    /// <summary>Starts one; it accepts connections afterwards.</summary>
    /// <param name="settings">More settings, as its command line takes them; <c>{port}</c> among them is its port.</param>
    /// <exception cref="HarnessException">It is not installed, or ended at once.</exception>
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

    /// <summary>Its port.</summary>
    public int Port { get; private set; }

    /// <summary>Where a node of a cluster listens for the others.</summary>
    public int BusPort => Port + 10_000;

    /// <summary><c>host:port</c>.</summary>
    public string Endpoint => $"127.0.0.1:{Port}";

    /// <summary>What a server's <c>--store</c> is told.</summary>
    public string Url => $"redis://{Endpoint}";

    /// <summary>The process that it is now.</summary>
    public ChildProcess Process => _process;

    /// <summary>What it is asked with; null for none.</summary>
    public string? Password { get; set; }

    /// <summary>Starts one with a file of settings.</summary>
    /// <exception cref="HarnessException">It is not installed, or ended at once.</exception>
    public static RedisServer WithFile(string file, params string[] settings) => new(settings, file);

    /// <summary>SIGKILL; it has ended afterwards.</summary>
    public void Kill() => _process.Kill();

    /// <summary>SIGSTOP.</summary>
    public void Pause() => _process.Pause();

    /// <summary>SIGCONT.</summary>
    public void Resume() => _process.Resume();

    /// <summary>Starts it again on its port, after <see cref="Kill"/>.</summary>
    public void Restart()
    {
        _process.Dispose();
        _process = Run();
    }

    /// <summary>What it answers to a command, an item a line; null where it does not answer within 2 s.</summary>
    public Task<string?> AskAsync(params string[] words) => RedisQuestion.AskAsync(Port, Password, TimeSpan.FromSeconds(2), words);

    /// <summary>The same, waited for by this thread with patience; empty where it does not answer.</summary>
    public string Ask(params string[] words) => AskAgain(1, words);

    /// <summary>The same so many times; the last answer.</summary>
    public string AskAgain(int times, params string[] words) =>
        RedisQuestion.AskAsync(Port, Password, ChildProcess.Patience, words, times).GetAwaiter().GetResult() ?? "";

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
