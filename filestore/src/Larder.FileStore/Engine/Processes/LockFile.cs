using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Larder.FileStore.Engine;

/// <summary>
/// The coordinator of polled mode, in which the processes share neither memory nor file locks. A writer takes the write lock by creating <c>NAME.jsonl.lock</c>
/// exclusively, and releases the lock by deleting that file. The committed word is local to this process and is updated by reading the file.
/// </summary>
/// <remarks>
/// Another process takes over a lock if the lock has not changed for <see cref="LeaseMs"/> by that process's clock, or if its holder is a process of this
/// machine that no longer runs. A holder that was only paused detects the loss of the lock before it writes. If the holder pauses between this check and its
/// write, it can still write without the lock.
/// </remarks>
internal sealed unsafe class LockFile : Coordinator
{
    private const long LeaseMs = 4_000;

    /// <summary>The interval at which a holder renews its lock during a long operation.</summary>
    private const int RenewalMs = 1_000;
    private readonly string _path;
    private readonly string _owner = string.Create(CultureInfo.InvariantCulture, $"{MachinePart()} {Environment.ProcessId} ");
    private readonly long* _word = (long*)NativeMemory.AllocZeroed(sizeof(long));
    private string _held = "";
    private string? _observed;
    private long _observedSince;

    private readonly Timer _renewal;

    private readonly Func<long> _now;

    /// <param name="path">The path of the lock file.</param>
    /// <param name="now">The clock, in monotonic milliseconds; the system clock if null.</param>
    internal LockFile(string path, Func<long>? now = null)
    {
        _path = path;
        _now = now ?? (static () => Environment.TickCount64);
        WeakReference<LockFile> self = new(this);
        using AsyncFlowControl suppressed = ExecutionContext.SuppressFlow();
        _renewal = new Timer(static state => Renew((WeakReference<LockFile>)state!), self, Timeout.Infinite, Timeout.Infinite);
    }

    ~LockFile() => NativeMemory.Free(_word);

    internal override long* CommittedWord => _word;

    internal override bool IsPolled => true;

    internal override bool Dirty { get; set; }

    internal override ulong LogId { get; set; }

    internal override bool IsOfThisBoot => Committed != 0;

    internal override bool IsAtPath => true;

    internal override bool IsOpenElsewhere => false;

    internal override string Holder => $"the owner of {_path} ({_observed})";

    internal override bool StillHeld => ReadOwner() == _held;

    internal override void Size()
    {
        // The committed word is in this process's memory, not in the file.
    }

    internal override bool InitialiseIfOutdated()
    {
        Dirty |= !IsOfThisBoot;
        return !IsOfThisBoot;
    }

    internal override bool TryLock()
    {
        string content = _owner + Guid.NewGuid().ToString("N");
        try
        {
            using FileStream file = OpenFile.CreateNew(_path);
            file.Write(Encoding.UTF8.GetBytes(content));
            FileModes.Apply(file.SafeFileHandle, System.IO.Path.ChangeExtension(_path, null), null);
            _held = content;
            _renewal.Change(RenewalMs, RenewalMs);
            return true;
        }
        catch (IOException) when (File.Exists(_path))
        {
            BreakIfAbandoned();
            return false;
        }
        catch (IOException e) when (e is not DirectoryNotFoundException)
        {
            // The lock was released between the attempt and the check. The caller retries.
            return false;
        }
        catch (UnauthorizedAccessException e)
        {
            throw new DistributedFileStoreCacheException(
                $"The lock file {_path} cannot be created: {e.Message} Give this process write access to the folder.",
                e);
        }
    }

    internal override bool TryLockAtOnce() => TryLock();

    /// <summary>Retries with increasing random delays, so that waiting processes do not all retry at the same moments.</summary>
    internal override bool TryLock(TimeSpan timeout)
    {
        long start = Stopwatch.GetTimestamp();
        for (int mostMs = 2; !TryLock(); mostMs = Math.Min(mostMs * 2, 32))
        {
            if (Stopwatch.GetElapsedTime(start) > timeout)
            {
                return false;
            }
            Thread.Sleep(Random.Shared.Next(1, mostMs + 1));
        }
        return true;
    }

    internal override void Unlock()
    {
        _renewal.Change(Timeout.Infinite, Timeout.Infinite);
        if (StillHeld)
        {
            File.Delete(_path);
        }
        _held = "";
    }

    internal override bool TryClaimCompaction() => true;

    internal override void ReleaseCompaction()
    {
        // Processes share no claim in this mode. If two processes compact, the second fails when it tries to replace the file.
    }

    [System.Diagnostics.CodeAnalysis.SuppressMessage("Usage", "CA1816", Justification = "The finalizer has to run after Dispose: it alone frees the memory.")]
    public override void Dispose()
    {
        // Only the finalizer frees the memory of the committed word, because a read on another thread may still access the word.
        _renewal.Dispose();
    }

    private void BreakIfAbandoned()
    {
        if (ReadOwner() is not { } owner)
        {
            // The lock was released concurrently.
            return;
        }
        // The content alone cannot identify a holder that has not written its content yet, so the modification time is included. The holder updates this time
        // regularly.
        string observed = owner + " " + File.GetLastWriteTimeUtc(_path).Ticks.ToString(CultureInfo.InvariantCulture);
        long now = _now();
        if (observed != _observed)
        {
            _observed = observed;
            _observedSince = now;
        }
        if (now - _observedSince < LeaseMs && !IsDeadLocalOwner(owner))
        {
            return;
        }
        string aside = _path + "." + Guid.NewGuid().ToString("N");
        try
        {
            File.Move(_path, aside);
            if (File.ReadAllText(aside) != owner)
            {
                // This process moved the lock of a new holder aside by mistake. Move that lock back.
                File.Move(aside, _path);
                return;
            }
            File.Delete(aside);
        }
        catch (IOException)
        {
            // The holder or another process removed the lock file first.
        }
    }

    /// <summary>Updates the modification time of the lock file, which waiting processes check together with its content.</summary>
    private static void Renew(WeakReference<LockFile> self)
    {
        if (self.TryGetTarget(out LockFile? file) && file._held.Length > 0)
        {
            try
            {
                File.SetLastWriteTimeUtc(file._path, DateTime.UtcNow);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Another process took the lock after this process paused. StillHeld returns false before the next write.
            }
        }
    }

    private static bool IsDeadLocalOwner(string owner)
    {
        string[] parts = owner.Split(' ');
        return OperatingSystem.IsLinux() && parts.Length == 3 && parts[0] == MachinePart() && !Directory.Exists("/proc/" + parts[1]);
    }

    /// <summary>Returns the content of the lock file; null if the file does not exist.</summary>
    private string? ReadOwner()
    {
        try
        {
            return File.ReadAllText(_path);
        }
        catch (IOException)
        {
            return null;
        }
        catch (UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Returns the boot id and the process namespace, which make a process id unique.</summary>
    private static string MachinePart()
    {
        string space = OperatingSystem.IsLinux() ? new FileInfo("/proc/self/ns/pid").LinkTarget ?? "" : Environment.MachineName;
        return BootIdentity.Current.ToString("x", CultureInfo.InvariantCulture) + "/" + space.Replace(' ', '_');
    }
}
