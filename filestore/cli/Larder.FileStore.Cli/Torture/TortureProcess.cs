using System.Diagnostics;
using System.Globalization;

namespace Larder.FileStore.Cli.Torture;

/// <summary>One worker process of the torture run. This class sends commands to the process and passes the process's reports to the ledger.</summary>
internal sealed class TortureProcess : IDisposable
{
    /// <summary>
    /// A set in progress may wait for the lock and for a compaction. On an overloaded machine each of these waits may take four times the timeout of 5 s.
    /// </summary>
    private static readonly TimeSpan ExitTimeout = TimeSpan.FromSeconds(60);
    private readonly TortureLedger _ledger;
    private readonly Process _process;
    private readonly Task _reading;

    private TortureProcess(TortureLedger ledger, int index, Process process)
    {
        _ledger = ledger;
        Index = index;
        _process = process;
        _reading = Task.Factory.StartNew(Read, TaskCreationOptions.LongRunning);
    }

    internal int Index { get; }

    internal int Id => _process.Id;

    internal static TortureProcess Start(TortureLedger ledger, string file, int index)
    {
        ProcessStartInfo start = new(Environment.ProcessPath!, [
            .. Program.OwnWords,
            "torture-worker", file, index.ToString(CultureInfo.InvariantCulture), ledger.NextNumber(index).ToString(CultureInfo.InvariantCulture)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        start.Environment["DOTNET_TieredCompilation"] = "1";
        start.Environment["DOTNET_GCHeapHardLimit"] = "0x10000000";
        return new TortureProcess(ledger, index, Process.Start(start)!);
    }

    internal void Send(string line)
    {
        try
        {
            _process.StandardInput.WriteLine(line);
            _process.StandardInput.Flush();
        }
        catch (IOException)
        {
            // The process was killed. The next command is sent to the process that replaces it.
        }
    }

    /// <summary>Kills the process with SIGKILL, and waits until the ledger has all of its reports.</summary>
    internal void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
        _reading.Wait();
    }

    /// <summary>Ends the process. Returns the problem as a text; null if it ended with exit code 0 in time.</summary>
    internal string? End()
    {
        _process.StandardInput.Close();
        bool ended = _process.WaitForExit(ExitTimeout);
        if (!ended)
        {
            _process.Kill();
        }
        _reading.Wait();
        return !ended ? $"did not end within {ExitTimeout.TotalSeconds} s" : _process.ExitCode == 0 ? null : $"exited with code {_process.ExitCode}";
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }
        _process.Dispose();
    }

    private void Read()
    {
        string? line;
        while ((line = _process.StandardOutput.ReadLine()) is not null)
        {
            _ledger.Take(Index, line);
        }
    }
}
