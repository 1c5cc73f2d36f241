using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;

namespace Larder.Redis.Tests;

/// <summary>A real redis-server of this test alone: a free port of the loopback, a folder of its own, ended by its process.</summary>
internal sealed class RedisServer : IDisposable
{
    private static readonly TimeSpan s_startLimit = TimeSpan.FromMinutes(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-redis-").FullName;
    private readonly string[] _settings;
    private Process _process;

    public RedisServer(params string[] settings)
    {
        _settings = settings;
        Port = FreePorts.Next();
        _process = Run();
        WaitUntilItAnswers();
    }

    public int Port { get; }

    public RedisEndPoint EndPoint => new("127.0.0.1", Port);

    public string Url => $"redis://{EndPoint}";

    /// <summary>Starts it again after <see cref="Kill"/>.</summary>
    public void Restart()
    {
        _process.Dispose();
        _process = Run();
        WaitUntilItAnswers();
    }

    /// <summary>SIGKILL.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>SIGSTOP.</summary>
    public void Stop() => Signal("STOP");

    /// <summary>SIGCONT.</summary>
    public void Continue() => Signal("CONT");

    /// <summary>Asks it something, by another connection than a store's: what it says, as <c>redis-cli</c> prints it.</summary>
    public string Ask(params string[] words) => RedisCli.Run([.. Login(), .. words], Port);

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string[] Login()
    {
        int password = Array.IndexOf(_settings, "--requirepass");
        return password < 0 ? [] : ["--no-auth-warning", "-a", _settings[password + 1]];
    }

    private Process Run()
    {
        ProcessStartInfo start = new("redis-server") { RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = _folder };
        string port = Port.ToString(CultureInfo.InvariantCulture);
        bool isTls = _settings.Contains("--tls-port");
        string[] own = ["--port", isTls ? "0" : port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", _folder];
        foreach (string word in own.Concat(_settings.Select(word => word == "{port}" ? port : word)))
        {
            start.ArgumentList.Add(word);
        }

        Process process = Process.Start(start)!;
        // Its log is nobody's; it may not stand in its pipe.
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    private void WaitUntilItAnswers()
    {
        var since = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                using TcpClient client = new("127.0.0.1", Port);
                return;
            }
            catch (SocketException) when (since.Elapsed < s_startLimit && !_process.HasExited)
            {
                Thread.Sleep(10);
            }
        }
    }

    private void Signal(string name)
    {
        using Process kill = Process.Start("kill", [$"-{name}", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }
}
