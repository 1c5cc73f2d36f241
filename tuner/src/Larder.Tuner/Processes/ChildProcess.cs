using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Larder.Tuner.Processes;

/// <summary>A program that the tuner has started and will end: asked to by SIGTERM, made to when it has not within five seconds.</summary>
internal sealed partial class ChildProcess : IAsyncDisposable
{
    /// <summary>Lines of stderr kept for the message when the program fails.</summary>
    private const int KeptLines = 20;

    private const int Sigterm = 15;
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(5);
    private static readonly ConcurrentDictionary<int, Process> s_running = new();
    private readonly Process _process;
    private readonly Queue<string> _errors = new();

    static ChildProcess() => AppDomain.CurrentDomain.ProcessExit += (_, _) => EndAll();

    private ChildProcess(Process process, string name)
    {
        _process = process;
        Name = name;
        s_running[process.Id] = process;
        process.ErrorDataReceived += (_, line) => Keep(line.Data);
        process.BeginErrorReadLine();
    }

    /// <summary>What it is called in messages.</summary>
    public string Name { get; }

    /// <summary>Its id.</summary>
    public int Id => _process.Id;

    /// <summary>Its stdin.</summary>
    public StreamWriter Input => _process.StandardInput;

    /// <summary>Its stdout.</summary>
    public StreamReader Output => _process.StandardOutput;

    /// <summary>Starts a program, in <paramref name="folder"/> or where the tuner itself runs.</summary>
    /// <exception cref="TunerException">It is not installed.</exception>
    public static ChildProcess Start(string name, string program, IEnumerable<string> arguments, string? folder = null)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder ?? "",
        };
        try
        {
            return new ChildProcess(Process.Start(start)!, name);
        }
        catch (System.ComponentModel.Win32Exception missing)
        {
            throw new TunerException($"{name}: {program} cannot be started ({missing.Message}); install it, or leave out what needs it");
        }
    }

    /// <summary>Sends it a signal, where it has not ended.</summary>
    public void Signal(int number)
    {
        if (!_process.HasExited)
        {
            _ = Kill(_process.Id, number);
        }
    }

    /// <summary>An exception that says how the program ended and what it wrote to stderr last.</summary>
    public async Task<TunerException> FailureAsync(string what)
    {
        using var limit = new CancellationTokenSource(s_grace);
        await _process.WaitForExitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (_process.HasExited && _process.ExitCode == Interruption.ExitCode)
        {
            await Interruption.ExpectAsync().ConfigureAwait(false);
        }

        string state = _process.HasExited ? $"exit code {_process.ExitCode}" : "still running";
        lock (_errors)
        {
            return new TunerException($"{Name}: {what} ({state}){string.Concat(_errors.Select(line => "\n  " + line))}");
        }
    }

    /// <summary>Asks it to end, and returns its exit code.</summary>
    public async Task<int> StopAsync()
    {
        if (!_process.HasExited)
        {
            _ = Kill(_process.Id, Sigterm);
            using var limit = new CancellationTokenSource(s_grace);
            await _process.WaitForExitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync().ConfigureAwait(false);
        }

        return _process.ExitCode;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        s_running.TryRemove(_process.Id, out _);
        _process.Dispose();
    }

    /// <summary>An interrupted tuner leaves nothing running.</summary>
    private static void EndAll()
    {
        foreach (Process? process in s_running.Values.Where(process => !process.HasExited))
        {
            _ = Kill(process.Id, Sigterm);
        }
    }

    private void Keep(string? line)
    {
        if (line is null)
        {
            return;
        }

        lock (_errors)
        {
            _errors.Enqueue(line);
            if (_errors.Count > KeptLines)
            {
                _errors.Dequeue();
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int pid, int signal);
}
