using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;

namespace Larder.Harness.Processes;

/// <summary>
/// A child process that ends when this process ends. To stop a child process, this class sends SIGTERM. If the child process is still running after its grace
/// period, it is killed. <see cref="Dispose"/> kills it immediately.
/// </summary>
public partial class ChildProcess : IAsyncDisposable, IDisposable
{
    /// <summary>The default timeout of every wait for a program. It is long enough for a busy machine.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // The maximum number of output lines in an error message. Also the maximum number of stdout lines that are kept until the program is ready.
    private const int MaxReportedLines = 20;
    private const int KeptLines = 1000;

    // If a signal ended a program, the exit code is this value plus the number of the signal.
    private const int ExitOfSignal = 128;

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);
    private static readonly ConcurrentDictionary<int, Process> s_running = new();

    private readonly ProgramCommand _command;
    private readonly Process _process;
    private readonly ProgramLog _log;
    private readonly Queue<string> _said = new();
    private int _isDisposed;

    // By default these signals end a .NET process immediately, without raising ProcessExit, so they are handled here.
    private static readonly PosixSignalRegistration[] s_ends = [EndBy(PosixSignal.SIGTERM, Signals.Terminate), EndBy(PosixSignal.SIGHUP, Signals.HangUp)];

    static ChildProcess() => AppDomain.CurrentDomain.ProcessExit += (_, _) => EndAll();

    /// <summary>Starts a program.</summary>
    /// <exception cref="HarnessException">The program is not installed.</exception>
    protected ChildProcess(ProgramCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        _command = command;
        var start = new ProcessStartInfo(command.Program, command.Arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardInputEncoding = s_utf8,
            StandardOutputEncoding = s_utf8,
            StandardErrorEncoding = s_utf8,
            WorkingDirectory = command.Folder,
        };
        foreach ((string name, string? value) in command.Environment)
        {
            start.Environment[name] = value;
        }

        try
        {
            _process = Process.Start(start)!;
        }
        catch (Win32Exception missing)
        {
            throw new HarnessException($"{Name}: cannot start {command.Program} ({missing.Message}); install it, or skip the tests that need it");
        }

        s_running[Id = _process.Id] = _process;
        _log = new ProgramLog(_process.StandardError);
    }

    /// <summary>Gets the name of the program in messages.</summary>
    public string Name => _command.Name;

    /// <summary>Gets the process id.</summary>
    public int Id { get; }

    /// <summary>Gets whether the process has ended.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>Gets the stdin of the process.</summary>
    public StreamWriter Input => _process.StandardInput;

    /// <summary>Gets the stdout of the process. It must not be read after <see cref="ReadyAsync"/>.</summary>
    public StreamReader Output => _process.StandardOutput;

    /// <summary>Gets the lines of stdout up to and including the line that reported readiness.</summary>
    public IReadOnlyCollection<string> OutputLines => _said;

    /// <summary>Gets the end of the text that the process has written to stderr so far.</summary>
    public string Log => _log.ToString();

    /// <summary>Gets the resident memory of the process, in bytes.</summary>
    public long ResidentBytes => Refreshed().WorkingSet64;

    /// <summary>Gets the processor time that the process has used.</summary>
    public TimeSpan CpuTime => Refreshed().TotalProcessorTime;

    /// <inheritdoc cref="ChildProcess(ProgramCommand)"/>
    public static ChildProcess Start(ProgramCommand command) => new(command);

    /// <summary>Waits for the stdout line that reports readiness. The rest of stdout is read and discarded.</summary>
    /// <exception cref="HarnessException">
    /// The process ended first, or was not ready before the timeout. In both cases the process is no longer running.
    /// </exception>
    public async Task<Match> ReadyAsync(Regex line, TimeSpan? patience = null)
    {
        ArgumentNullException.ThrowIfNull(line);
        using var limit = new CancellationTokenSource(patience ?? Patience);
        string what = "the process exited before it was ready";
        try
        {
            while (await Output.ReadLineAsync(limit.Token).ConfigureAwait(false) is { } said)
            {
                Keep(said);
                if (line.Match(said) is { Success: true } ready)
                {
                    _ = DrainAsync();
                    return ready;
                }
            }
        }
        catch (OperationCanceledException)
        {
            what = string.Create(CultureInfo.InvariantCulture, $"the process was not ready within {(patience ?? Patience).TotalSeconds} s");
            Kill();
        }

        HarnessException failure = await FailureAsync(what).ConfigureAwait(false);
        await DisposeAsync().ConfigureAwait(false);
        throw failure;
    }

    /// <summary>Sends a signal unless the process has ended.</summary>
    public void Signal(int number)
    {
        if (!_process.HasExited)
        {
            _ = SendSignal(Id, number);
        }
    }

    /// <summary>
    /// Sends SIGSTOP and waits until the process has stopped. The wait is needed because the signal only requests the stop. A process that is waiting for a
    /// processor core could still respond.
    /// </summary>
    public void Pause()
    {
        Signal(Signals.Stop);
        long begun = Stopwatch.GetTimestamp();
        while (!HasExited && !IsStill() && Stopwatch.GetElapsedTime(begun) < Patience)
        {
            Thread.Sleep(1);
        }
    }

    /// <summary>Sends SIGCONT.</summary>
    public void Resume() => Signal(Signals.Continue);

    /// <summary>Sends SIGKILL and waits until the process has ended.</summary>
    public void Kill()
    {
        Signal(Signals.Kill);
        _process.WaitForExit();
    }

    /// <summary>Returns an exception that describes how the program ended and its last output.</summary>
    public async Task<HarnessException> FailureAsync(string what)
    {
        using var limit = new CancellationTokenSource(_command.Grace);
        await _process.WaitForExitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _log.Ended.WaitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        int? exitCode = _process.HasExited ? _process.ExitCode : null;
        string state = exitCode is null ? "still running" : $"exit code {exitCode}";
        string[] lines = Log.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        IEnumerable<string> told = (lines.Length > 0 ? lines : [.. _said]).TakeLast(MaxReportedLines);
        return new HarnessException($"{Name}: {what} ({state}){string.Concat(told.Select(line => "\n  " + line))}", exitCode);
    }

    /// <summary>Waits for the end of the process and returns its exit code.</summary>
    /// <exception cref="HarnessException">The process did not end before the timeout.</exception>
    public async Task<int> WaitForExitAsync(TimeSpan? patience = null)
    {
        using var limit = new CancellationTokenSource(patience ?? Patience);
        await _process.WaitForExitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return _process.HasExited ? _process.ExitCode : throw await FailureAsync("the process did not exit in time").ConfigureAwait(false);
    }

    /// <summary>Waits until the process has written the text to stderr.</summary>
    /// <exception cref="HarnessException">The process ended first, or did not write the text before the timeout.</exception>
    public async Task UntilLoggedAsync(string text)
    {
        long begun = Stopwatch.GetTimestamp();
        for (bool isOver = false; !Log.Contains(text, StringComparison.Ordinal); isOver = _log.Ended.IsCompleted || Stopwatch.GetElapsedTime(begun) > Patience)
        {
            if (isOver)
            {
                throw await FailureAsync($"the process did not write \"{text}\" to stderr in time").ConfigureAwait(false);
            }

            await Task.Delay(10).ConfigureAwait(false);
        }
    }

    /// <summary>Returns everything that the process wrote to stderr, after it has ended.</summary>
    public async Task<string> WholeLogAsync()
    {
        await _log.Ended.WaitAsync(Patience).ConfigureAwait(false);
        return Log;
    }

    /// <summary>Asks the process to end and returns its exit code. Kills the process if it has not ended after the grace period.</summary>
    public async Task<int> StopAsync()
    {
        Signal(Signals.Terminate);
        using (var limit = new CancellationTokenSource(_command.Grace))
        {
            await _process.WaitForExitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        KillTree();
        return _process.ExitCode;
    }

    /// <inheritdoc/>
    public virtual async ValueTask DisposeAsync()
    {
        if (_isDisposed == 0)
        {
            await StopAsync().ConfigureAwait(false);
        }

        Dispose();
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Kills the process unless it has ended.</summary>
    protected virtual void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        KillTree();
        s_running.TryRemove(KeyValuePair.Create(Id, _process));
        _process.StandardOutput.Dispose();
        _process.StandardError.Dispose();
        _process.Dispose();
    }

    private static PosixSignalRegistration EndBy(PosixSignal signal, int number) => PosixSignalRegistration.Create(signal, context =>
    {
        context.Cancel = true;
        Environment.Exit(ExitOfSignal + number);
    });

    // Sends SIGTERM to all child processes when this program exits, even if a signal caused the exit, because child processes must not keep running.
    private static void EndAll()
    {
        foreach (int id in s_running.Where(pair => !pair.Value.HasExited).Select(pair => pair.Key))
        {
            _ = SendSignal(id, Signals.Terminate);
        }
    }

    private void KillTree()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }
    }

    private Process Refreshed()
    {
        _process.Refresh();
        return _process;
    }

    // In /proc/<pid>/stat, the state of the process follows the process name, which is in parentheses. The state T means that the whole process is stopped or
    // being stopped. Then none of its threads returns from the kernel.
    private bool IsStill()
    {
        string stat = File.ReadAllText($"/proc/{Id}/stat");
        return stat[stat.LastIndexOf(')') + 2] == 'T';
    }

    private void Keep(string line)
    {
        _said.Enqueue(line);
        if (_said.Count > KeptLines)
        {
            _said.Dequeue();
        }
    }

    private async Task DrainAsync()
    {
        try
        {
            await Output.BaseStream.CopyToAsync(Stream.Null).ConfigureAwait(false);
        }
        catch (Exception closed) when (closed is IOException or ObjectDisposedException or OperationCanceledException)
        {
            // The process has been disposed.
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int pid, int signal);
}
