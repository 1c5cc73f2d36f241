using System.Diagnostics;
using Larder.FileStore.Engine;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Cli.Torture;

/// <summary>
/// The command <c>larder file torture</c>: several processes set, read, compact and open one cache, and are killed with SIGKILL. At the same time, the command
/// causes these events:
/// <list type="bullet">
/// <item>It truncates, overwrites or deletes the file.</item>
/// <item>It switches the folder of the file, replaces it, or restores its files from a backup.</item>
/// <item>It truncates the sidecar.</item>
/// <item>It fills the disk.</item>
/// </list>
/// Every acknowledged write must be readable. If an event loses data, a process must report a fault.
/// </summary>
internal sealed class TortureCommand
{
    /// <summary>
    /// The size of the disk. This is enough for ten files of the maximum length: one in each of three folders, the backup, compactions, damaged files that were
    /// set aside, and deleted files that slow processes still have open. With 96 MB, a loaded machine filled the disk even without the filler file.
    /// </summary>
    private const int DiskMegabytes = 256;

    /// <summary>
    /// The maximum length of the file: twice the maximum live data (for each key, a line with the longest value), plus 16 MB, plus one line in progress per
    /// process.
    /// </summary>
    private readonly long _mostFileBytes;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan FaultTimeout = TimeSpan.FromSeconds(10);

    private readonly TimeSpan _length;
    private readonly Random _random;
    private readonly TortureLedger _ledger;
    private readonly TortureDisk _disk;
    private readonly TortureProcess[] _processes;
    private readonly Dictionary<string, int> _events = [];
    private long _syncs;
    private long _longestFile;
    private volatile bool _isOver;

    private TortureCommand(TortureDisk disk, double minutes, int processes, int seed)
    {
        _disk = disk;
        _length = TimeSpan.FromMinutes(minutes);
        _random = new Random(seed);
        _ledger = new TortureLedger(processes);
        _processes = new TortureProcess[processes];
        _mostFileBytes = 2L * processes * TortureValue.Keys * (TortureValue.MaxFiller + 60) + (16 << 20) + processes * (TortureValue.MaxFiller + 60);
    }

    private string File => Path.Combine(_disk.Folder, "Torture.jsonl");

    internal static int Run(double minutes, int processes, int seed)
    {
        Console.WriteLine($"torture: {processes} processes, {minutes} minutes, seed {seed}");
        using TortureDisk disk = new(DiskMegabytes);
        TortureCommand torture = new(disk, minutes, processes, seed);
        try
        {
            return torture.Run() ? 0 : 1;
        }
        finally
        {
            Array.ForEach(torture._processes, p => p?.Dispose());
        }
    }

    private bool Run()
    {
        if (!_disk.IsOwn)
        {
            Console.WriteLine("SKIPPED: filling the disk (only root on Linux can mount the small file system that this needs)");
        }
        for (int i = 0; i < _processes.Length; i++)
        {
            _processes[i] = TortureProcess.Start(_ledger, File, i);
        }
        Thread watcher = new(WatchSize) { IsBackground = true };
        Thread reader = new(AskWithoutPause) { IsBackground = true };
        watcher.Start();
        reader.Start();
        Stopwatch clock = Stopwatch.StartNew();
        TimeSpan told = TimeSpan.Zero;
        EachWrites("start");
        _disk.Backup();
        while (clock.Elapsed < _length && _ledger.Violations.Count < 50)
        {
            Thread.Sleep(_random.Next(100, 500));
            Happen();
            if (clock.Elapsed - told > TimeSpan.FromSeconds(30))
            {
                told = clock.Elapsed;
                Console.WriteLine(
                    $"{told.TotalSeconds,5:0} s: {_ledger.Acknowledged} sets, {_ledger.Read} reads verified, {_ledger.Faults} faults reported, "
                        + $"{_ledger.Violations.Count} violations");
            }
        }
        _isOver = true;
        reader.Join();
        watcher.Join();
        return End();
    }

    private void Happen()
    {
        switch (_random.Next(26))
        {
            case < 9: Count("killed", Kill); break;
            case < 12: Count("paused", Stop); break;
            case 12 or 13: Lose("truncated in place", CutShort); break;
            case 14: Lose("emptied in place", () => Overwrite([])); break;
            case 15: Lose("overwritten in place", () => Overwrite("other content\n"u8.ToArray())); break;
            case 16: Lose("deleted", () => System.IO.File.Delete(File)); break;
            case 17: Lose("sidecar deleted", () => System.IO.File.Delete(File + ".idx")); break;
            case 18: Lose("folder deleted", DeleteFolder); break;
            case 19 or 20: Lose("folder switched", () => _disk.SwitchFolder(_random)); break;
            case 21: Lose("folder replaced", _disk.ReplaceFolder); break;
            case 22: Count("backed up", _disk.Backup); break;
            case 23: Lose("restored from the backup", Restore); break;
            case 24: Count("sidecar truncated", TruncateSidecar); break;
            default:
                if (_disk.IsOwn)
                {
                    Count("disk filled", FillDisk);
                }
                break;
        }
    }

    private void Count(string what, Action happen)
    {
        _events[what] = _events.GetValueOrDefault(what) + 1;
        happen();
    }

    private void Kill()
    {
        int index = _random.Next(_processes.Length);
        _ledger.Note($"process {index} is killed");
        lock (_processes)
        {
            _processes[index].Kill();
            _processes[index].Dispose();
            _processes[index] = TortureProcess.Start(_ledger, File, index);
        }
    }

    private void Stop()
    {
        int index = _random.Next(_processes.Length);
        int id = _processes[index].Id;
        _ledger.Note($"process {index} is paused");
        Signal(id, "STOP");
        Thread.Sleep(_random.Next(50, 1500));
        Signal(id, "CONT");
        _ledger.Note($"process {index} resumes");
    }

    /// <summary>
    /// Runs an event that can lose entries. If entries are lost, a process must report a fault. Afterwards every process must be able to write again. The event
    /// loses nothing if a compaction immediately replaces the damaged file. Therefore, if no process reports a fault, no acknowledged write may be missing.
    /// </summary>
    private void Lose(string what, Action happen) => Count(what, () =>
    {
        EachWrites("before: " + what);
        long faults = _ledger.FaultsNow();
        _ledger.Begin(loss: true, what);
        try
        {
            happen();
        }
        catch (IOException e)
        {
            Console.WriteLine($"note: {what}: {e.Message}");
        }
        bool said = Within(FaultTimeout, () => _ledger.FaultsNow() > faults);
        // Read what the processes have already reported, so that EachWrites waits for sets that began after the event.
        Sync(what);
        EachWrites(what);
        Sync(what);
        said |= _ledger.FaultsNow() > faults;
        if (!said)
        {
            Count(what + ", no data lost", () => { });
        }
        _ledger.End(lost: said);
    });

    private void CutShort() => Damage(file =>
    {
        long length = file.Length;
        long left = _random.NextInt64(0, Math.Max(length - 20_000, 1));
        file.SetLength(left);
        _ledger.Note($"truncated from {length} to {left} bytes");
    });

    private void Overwrite(byte[] content) => Damage(file =>
    {
        file.SetLength(0);
        file.Write(content);
    });

    /// <summary>
    /// Damages the file. If a compaction replaced the file after this method opened it, the damage affected a file that is no longer used. The method then
    /// repeats the damage with the new file.
    /// </summary>
    private void Damage(Action<FileStream> harm)
    {
        bool isInUse;
        do
        {
            using FileStream file = OpenForDamage();
            harm(file);
            isInUse = FileFacts.TryOfPath(FileFacts.SystemPath(File), out FileFacts now) && now.IsSame(FileFacts.OfOpen(file.SafeFileHandle));
        }
        while (!isInUse);
    }

    private FileStream OpenForDamage() => new(File, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);

    /// <summary>Truncates only the sidecar. This loses nothing, because the cache file contains every acknowledged write.</summary>
    private void TruncateSidecar()
    {
        _ledger.Begin(loss: false, "sidecar truncated");
        using (SafeFileHandle? sidecar = OpenFile.Try(File + ".idx"))
        {
            // FileStream would take a lock that conflicts with the locks of the cache.
            if (sidecar is not null)
            {
                RandomAccess.SetLength(sidecar, _random.Next(4) == 0 ? _random.Next(4096) : 0);
            }
        }
        EachWrites("after the sidecar was truncated");
        Sync("after the sidecar was truncated");
        _ledger.End(lost: false);
    }

    private void Restore()
    {
        for (int time = _random.Next(1, 20); time > 0; time--)
        {
            _disk.Restore();
        }
    }

    private void DeleteFolder()
    {
        string folder = Directory.ResolveLinkTarget(_disk.Folder, returnFinalTarget: true)!.FullName;
        while (Directory.Exists(folder))
        {
            try
            {
                Directory.Delete(folder, recursive: true);
                return;
            }
            catch (IOException)
            {
                // A process created a file in the folder during the deletion. If the cache file exists again, the folder is in use again. Otherwise, delete the
                // remaining files.
                if (System.IO.File.Exists(File))
                {
                    return;
                }
            }
        }
    }

    private void FillDisk()
    {
        _ledger.Begin(loss: false, "disk filled");
        _disk.Fill();
        Thread.Sleep(_random.Next(200, 2000));
        _disk.Empty();
        EachWrites("after the disk was full");
        Sync("after the disk was full");
        _ledger.End(lost: false);
    }

    /// <summary>Waits until each process has an acknowledged set that is newer than this call. Records a violation if this does not happen in time.</summary>
    private void EachWrites(string after)
    {
        long[] before = [.. Enumerable.Range(0, _processes.Length).Select(_ledger.AcknowledgedBy)];
        if (!Within(Patience, () => Enumerable.Range(0, _processes.Length).All(i => _ledger.AcknowledgedBy(i) > before[i])))
        {
            _ledger.Violate($"{after}: at least one process did not write successfully within {Patience.TotalSeconds} s");
        }
    }

    /// <summary>
    /// Waits until the ledger has every report that the processes wrote before this call. Records a violation if a process does not respond in time.
    /// </summary>
    private void Sync(string after)
    {
        long id = ++_syncs;
        lock (_processes)
        {
            Array.ForEach(_processes, p => p.Send("sync " + id));
        }
        if (!Within(Patience, () => _ledger.AllSynced(id)))
        {
            _ledger.Violate($"{after}: at least one process did not respond within {Patience.TotalSeconds} s");
        }
    }

    private void AskWithoutPause()
    {
        Random random = new(1);
        while (!_isOver)
        {
            lock (_processes)
            {
                for (int i = 0; i < _processes.Length; i++)
                {
                    _processes[i].Send(_ledger.Ask(random.Next(_processes.Length), random.Next(TortureValue.Keys)));
                }
            }
            Thread.Sleep(5);
        }
    }

    private void WatchSize()
    {
        while (!_isOver)
        {
            FileInfo file = new(File);
            if (file.Exists)
            {
                _longestFile = Math.Max(_longestFile, file.Length);
            }
            Thread.Sleep(1);
        }
    }

    private bool End()
    {
        foreach (TortureProcess process in _processes)
        {
            if (process.End() is { } wrong)
            {
                _ledger.Violate($"process {process.Index} {wrong}");
            }
        }
        int held;
        using (CacheEngine engine = CacheEngine.Open(new FileStoreSettings { Path = File }))
        {
            CacheFileHandler cache = new(engine);
            held = _ledger.CheckAll(cache.GetValue);
            if (cache.Status.Fault is { } fault)
            {
                _ledger.Violate("a fault remains at the end of the test: " + fault);
            }
        }
        if (_longestFile > _mostFileBytes)
        {
            _ledger.Violate($"the file had {_longestFile} bytes, more than its limit of {_mostFileBytes} bytes");
        }
        string[] left = [.. Directory.GetFiles(_disk.Folder).Select(f => Path.GetFileName(f)!)];
        Console.WriteLine(
            $"sets: {_ledger.Acknowledged} acknowledged, {_ledger.Failed} failed; reads: {_ledger.Read} verified; other operations: {_ledger.Refusals} failed; "
                + $"entries at the end: {held}");
        Console.WriteLine("events: " + string.Join(", ", _events.OrderBy(e => e.Key, StringComparer.Ordinal).Select(e => $"{e.Key} {e.Value}")));
        Console.WriteLine(
            "faults reported: " + string.Join(", ", _ledger.FaultKinds.OrderBy(e => e.Key, StringComparer.Ordinal).Select(e => $"{e.Key} {e.Value}")));
        Console.WriteLine(
            $"largest cache file: {_longestFile} bytes (limit {_mostFileBytes}); files at the end: {left.Length}, of which damaged copies: "
                + $"{left.Count(f => f.Contains(".aside-", StringComparison.Ordinal))}");
        bool holds = _ledger.Violations.Count == 0;
        Console.WriteLine(holds
            ? "verdict: PASSED: no acknowledged write was lost, no stale value was read, the file stayed within its limit, every fault was reported"
            : $"verdict: FAILED: {_ledger.Violations.Count} violations");
        return holds;
    }

    private static bool Within(TimeSpan time, Func<bool> condition)
    {
        long start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > time)
            {
                return false;
            }
            Thread.Sleep(2);
        }
        return true;
    }

    private static void Signal(int process, string name)
    {
        using Process? kill = Process.Start("kill", ["-" + name, process.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        kill?.WaitForExit();
    }
}
